// Told
// After a batch, a PostToolBatch hook lists the batch's calls, each with the text that the model got for it. Decides whether
// such a text is an error, a refusal or an output.
//
//   Owns:          the client's own words for an error and for a refusal, and the words that only a running tool prints.
//   Does not own:  what the text changes for the call (machines/routing/doubts).
//   Decided in:    docs/decisions/0062-words-of-older-clients.md.
//
// TOLD-1. A text proves no refusal, as a tool may print any text. If nothing else reports a result of the call, the text only
//     shows whether the call may have been refused.
// TOLD-2. Clients without a field for refusals write a refusal like a tool's error. A text counts as a refusal only if the whole
//     line has the form that such a client writes. For tools that word their errors themselves, a text never counts as a refusal.
// TOLD-3. Older clients never write some fields, such as `toolDenialBeforeRun`: in their lines, a missing field proves nothing.

import { defined } from "../../machines/defined.ts";
import type { ListedCall } from "../../machines/inputs.ts";
import type { Wording } from "../../machines/wording.ts";
import { type Fields } from "../../runtime/foreign-fields.ts";
import { isSince } from "../../runtime/install-form.ts";
import { modelText } from "./texts.ts";

/** Matches an error that the client wrote itself, which is therefore not a tool's output. */
const TOOL_USE_ERROR = /^<tool_use_error>([^]*?)(?:<\/tool_use_error>\s*)?$/;

/**
 * The client's texts for a denial, in this order: by a hook; by a rule or a mode; because there was no user to ask; by the user
 * (two texts).
 */
const REFUSALS: readonly RegExp[] = [
  /^PreToolUse:\S+ hook error: /,
  /^Permission to \S[^]{0,4096} has been denied\b/,
  /^Claude requested permissions? to [^]{0,4096}but you haven't granted it yet/,
  /^The user doesn't want to (?:proceed with this tool use|take this action right now)/,
  /^User rejected tool use/,
];

/** Tools' outputs, in this order: a file's numbered lines; a file was written; a file was changed; a command failed. */
const OUTPUTS: readonly RegExp[] = [
  /^ *\d+(?:\t|→)/,
  /^File created successfully at: /,
  /^The file \S[^\n]{0,4096} has been updated/,
  /^Exit code \d+(?:\n|$)/,
];

/** The texts of older clients for a denied call, and who denied the call. After the first text come the user's own words. */
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
 * Older clients' tools whose errors begin with the client's own words: only for these tools does such a text prove a refusal.
 * The error of an MCP server, a page or a subagent may have any text.
 */
const CLIENT_WORDED: readonly string[] = [
  ...["Bash", "Edit", "MultiEdit", "Write", "NotebookEdit", "Read", "Glob", "Grep", "LS"],
  ...["ExitPlanMode", "AskUserQuestion", "TodoWrite"],
];

/** The client's last version known to have no field for a refusal. Of newer versions, only the field counts, not the text. */
const UNMARKED = "2.1.112";
/** The client's last version without `toolDenialBeforeRun`: its lines do not say whether a refused call had begun. */
const UNDATED = "2.1.325";

/** The refusal that an older client's text stands for (TOLD-2). @param whole the client's copy of the result in the same line. */
export function wordedIn(text: string, whole: unknown, version: string | undefined): Wording | undefined {
  if (whole !== `Error: ${text}` || !isUpTo(UNMARKED, version)) return undefined;
  const verdict = WORDED.find(([words]) => words.test(text))?.[1];
  return verdict && { verdict, of: CLIENT_WORDED };
}

/** @returns true if the call never began, false if it had begun, undefined if a client of that version does not say. */
export const isBeforeRun = (mark: unknown, version: string | undefined): boolean | undefined =>
  mark === true || (isUpTo(UNDATED, version) ? undefined : false);

const isUpTo = (last: string, version = ""): boolean =>
  /^2\.\d{1,4}\.\d{1,6}$/.test(version) && isSince(last, version);

type Told = Pick<ListedCall, "error" | "told">;

export function toldOf(call: Fields, key: string): Told {
  const text = modelText(call, key);
  if (text === undefined) return {};
  const error = TOOL_USE_ERROR.exec(text)?.[1];
  if (error !== undefined) return defined({ error });
  const is = (words: readonly RegExp[]): boolean => words.some((each) => each.test(text));
  return { told: is(REFUSALS) ? "refusal" : is(OUTPUTS) ? "output" : "text" };
}
