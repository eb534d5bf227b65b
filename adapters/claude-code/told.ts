// Told
// Reads, from the client's list of a batch's calls, what the text that the model got for a call is: error, refusal or output.
//
//   Owns:          the client's own words for an error and for a refusal, and the words that only a running tool prints.
//   Does not own:  what follows for the call (machines/routing/doubts).
//   Decided in:    docs/decisions/0062-words-of-older-clients.md.
//
// TOLD-1. These words decide nothing alone, because a tool may print any text. They only show whether a call without a result can
//     have been refused.
// TOLD-2. Clients without a field for refusals write a refusal like a tool's error. A text counts as a refusal only if the whole
//     line has the form that such a client writes. It never counts for tools that word their errors themselves.
// TOLD-3. If a client's version does not know a mark, the mark's absence means nothing.

import { defined } from "../../machines/defined.ts";
import type { ListedCall } from "../../machines/inputs.ts";
import type { Wording } from "../../machines/wording.ts";
import { type Fields } from "../../runtime/foreign-fields.ts";
import { modelText } from "./texts.ts";

/** The mark of an error that the client wrote, so it is not a tool's output. */
const TOOL_USE_ERROR = /^<tool_use_error>([^]*?)(?:<\/tool_use_error>\s*)?$/;

/**
 * The texts of a refusal, in this order: a hook denied; a rule or a mode denied; nobody could be asked; the user denied at the
 * terminal (two texts).
 */
const REFUSALS: readonly RegExp[] = [
  /^PreToolUse:\S+ hook error: /,
  /^Permission to \S[^]{0,4096} has been denied\b/,
  /^Claude requested permissions? to [^]{0,4096}but you haven't granted it yet/,
  /^The user doesn't want to (?:proceed with this tool use|take this action right now)/,
  /^User rejected tool use/,
];

/**
 * The texts of a tool's output, in this order: numbered lines of a file; a file that was written; a file that was changed; a
 * command that failed.
 */
const OUTPUTS: readonly RegExp[] = [
  /^ *\d+(?:\t|→)/,
  /^File created successfully at: /,
  /^The file \S[^\n]{0,4096} has been updated/,
  /^Exit code \d+(?:\n|$)/,
];

/** Older clients' texts for a denied call, and who denied it. The user's own words follow the first text. */
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
 * Tools of those clients whose errors begin with the client's words: a command's with its exit code, a file's with the system's
 * message. The answer of a server, a page or a subagent may begin with any text.
 */
const CLIENT_WORDED: readonly string[] = [
  ...["Bash", "Edit", "MultiEdit", "Write", "NotebookEdit", "Read", "Glob", "Grep", "LS"],
  ...["ExitPlanMode", "AskUserQuestion", "TodoWrite"],
];

type Version = readonly [number, number, number];

/** The last version known to have no field for a refusal. Newer versions use the field, so their texts mean nothing. */
const UNMARKED: Version = [2, 1, 112];
/** The last version whose lines do not say whether a refused call had begun: `toolDenialBeforeRun` came after it. */
const UNDATED: Version = [2, 1, 325];

/**
 * Tells whether a text is a refusal or a tool's output, by its wording (TOLD-2). @param whole the client's own copy of the
 * result, beside the block that the model got.
 */
export function wordedIn(text: string, whole: unknown, version: string | undefined): Wording | undefined {
  if (whole !== `Error: ${text}` || !isUpTo(UNMARKED, version)) return undefined;
  const verdict = WORDED.find(([words]) => words.test(text))?.[1];
  return verdict && { verdict, of: CLIENT_WORDED };
}

/** @returns true if the call never began, false if it had, undefined if a client of that version does not say. */
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

/** The text under `key` of a listed call; empty if it has none. */
export function toldOf(call: Fields, key: string): Told {
  const text = modelText(call, key);
  if (text === undefined) return {};
  const error = TOOL_USE_ERROR.exec(text)?.[1];
  if (error !== undefined) return defined({ error });
  const is = (words: readonly RegExp[]): boolean => words.some((each) => each.test(text));
  return { told: is(REFUSALS) ? "refusal" : is(OUTPUTS) ? "output" : "text" };
}
