// Told
// What a batch's list shows of what the client told the model of a call.
//
//   Owns:          the client's own words for an error of its own and for a refusal, and what only a tool at work says.
//   Does not own:  what follows for the call (machines/routing/doubts).
//
// TOLD-1. These words decide nothing alone: a tool may put out any text. They only say whether a call without a result
//     can have been refused.

import type { ListedCall } from "../../machines/inputs.ts";
import { type Fields, present } from "./fields.ts";
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

type Told = Pick<ListedCall, "error" | "told">;

/** What stands under `key` of a listed call; nothing where no text does. */
export function toldOf(call: Fields, key: string): Told {
  const text = modelText(call, key);
  if (text === undefined) return {};
  const error = TOOL_USE_ERROR.exec(text)?.[1];
  if (error !== undefined) return present({ error });
  const is = (words: readonly RegExp[]): boolean => words.some((each) => each.test(text));
  return { told: is(REFUSALS) ? "refusal" : is(OUTPUTS) ? "output" : "text" };
}
