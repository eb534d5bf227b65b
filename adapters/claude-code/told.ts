// Told
// What a batch's list shows of what the client told the model of a call.
//
//   Owns:          the client's own words for an error of its own and for a refusal, and what only a tool at work says.
//   Does not own:  what follows for the call (machines/routing/doubts).
//   Decided in:    docs/decisions/0062-words-of-older-clients.md.
//
// TOLD-1. These words decide nothing alone: a tool may put out any text. They only say whether a call without a result
//     can have been refused.
// TOLD-2. Clients that have no field for it write a refusal down like a tool's error. It is one only where the whole line
//     has the form that such a client gives it; and nothing is said of tools that word their errors themselves.
// TOLD-3. A mark that a client of that version does not know says nothing by its absence.

import { defined } from "../../machines/defined.ts";
import type { ListedCall } from "../../machines/inputs.ts";
import type { Wording } from "../../machines/wording.ts";
import { type Fields } from "../../runtime/foreign-fields.ts";
import { modelText } from "./texts.ts";

/** The mark of an error that is the client's, not the tool's, and so no tool's output. */
const TOOL_USE_ERROR = /^<tool_use_error>([^]*?)(?:<\/tool_use_error>\s*)?$/;

/** A hook said no; a rule or a mode did; there was nobody to ask; a person did at the terminal. */
const REFUSALS: readonly RegExp[] = [
  /^PreToolUse:\S+ hook error: /,
  /^Permission to \S[^]{0,4096} has been denied\b/,
  /^Claude requested permissions? to [^]{0,4096}but you haven't granted it yet/,
  /^The user doesn't want to (?:proceed with this tool use|take this action right now)/,
  /^User rejected tool use/,
];

/** Numbered lines that were read; a file that was written or changed; a command that failed. */
const OUTPUTS: readonly RegExp[] = [
  /^ *\d+(?:\t|→)/,
  /^File created successfully at: /,
  /^The file \S[^\n]{0,4096} has been updated/,
  /^Exit code \d+(?:\n|$)/,
];

/** What older clients write for a call that was not allowed, and who said no. The user's own words follow the first. */
const WORDED: readonly (readonly [RegExp, Wording["verdict"]])[] = [
  [
    /^The user doesn't want to proceed with this tool use\. The tool use was rejected \(eg\. if it was a file edit, the new_string was NOT written to the file\)\. (?:To tell you how to proceed, the user said:\n|The user provided the following reason for the rejection:)/,
    "user",
  ],
  [
    /^The user doesn't want to proceed with this tool use\. The tool use was rejected \(eg\. if it was a file edit, the new_string was NOT written to the file\)\. STOP what you are doing and wait for the user to tell you how to proceed\./,
    "rejected",
  ],
  [/^PreToolUse:\S+ hook error: /, "hook"],
  [/^Permission to use \S[^]{0,4096} has been denied\b/, "rule"],
  [/^Claude requested permissions to [^]{0,4096}but you haven't granted it yet\./, "rule"],
];

/**
 * Tools of those clients whose errors begin with words of the client's own: a command's with its exit code, a file's with
 * what the system said. What a server, a page or a subagent answers begins as it likes.
 */
const CLIENT_WORDED: readonly string[] = [
  ...["Bash", "Edit", "MultiEdit", "Write", "NotebookEdit", "Read", "Glob", "Grep", "LS"],
  ...["ExitPlanMode", "AskUserQuestion", "TodoWrite"],
];

type Version = readonly [number, number, number];

/** The last version known to have no field for a refusal. Newer ones say it in one: their texts say nothing. */
const UNMARKED: Version = [2, 1, 112];
/** The last whose lines do not say whether what was refused had begun: `toolDenialBeforeRun` came after it. */
const UNDATED: Version = [2, 1, 325];

/** TOLD-2. @param whole the client's own copy of the result, beside the block that the model was shown. */
export function wordedIn(text: string, whole: unknown, version: string | undefined): Wording | undefined {
  if (whole !== `Error: ${text}` || !isUpTo(UNMARKED, version)) return undefined;
  const verdict = WORDED.find(([words]) => words.test(text))?.[1];
  return verdict && { verdict, of: CLIENT_WORDED };
}

/** @returns true where it never began, false where it had, undefined where a client of that version does not say it. */
export const isBeforeRun = (mark: unknown, version: string | undefined): boolean | undefined =>
  mark === true || (isUpTo(UNDATED, version) ? undefined : false);

function isUpTo(last: Version, version: string | undefined): boolean {
  const parts = /^(2)\.(\d{1,4})\.(\d{1,6})$/
    .exec(version ?? "")
    ?.slice(1)
    .map(Number);
  if (!parts) return false;
  const differing = last.findIndex((part, index) => parts[index] !== part);
  return differing < 0 || (parts[differing] ?? 0) < (last[differing] ?? 0);
}

type Told = Pick<ListedCall, "error" | "told">;

/** What stands under `key` of a listed call; nothing where no text does. */
export function toldOf(call: Fields, key: string): Told {
  const text = modelText(call, key);
  if (text === undefined) return {};
  const error = TOOL_USE_ERROR.exec(text)?.[1];
  if (error !== undefined) return defined({ error });
  const is = (words: readonly RegExp[]): boolean => words.some((each) => each.test(text));
  return { told: is(REFUSALS) ? "refusal" : is(OUTPUTS) ? "output" : "text" };
}
