// Harmless
// Tells, without parsing them, lines that let nothing happen whoever reads them: the stream of an agent's words.
//
//   Owns:          which lines are passed on unread.
//   Does not own:  all others (message): what is not surely harmless is parsed.
//
// HARMLESS-1. Such a line begins as the notification `session/update`, and no reader finds another method in it: the word
//     stands there once, in no case a second time, and nothing spells its letters by escapes, or by bytes that are no UTF-8.
// HARMLESS-2. A reader that ends lines elsewhere, repeats keys, or takes no JSON for JSON finds none either.

const HEAD = /\{ ?"jsonrpc": ?"2\.0", ?"method": ?"session\/update", ?"params": ?\{/y;
/** `tool_call`, `session_info_update`: what is told to the engine is read. */
const READ = /method|tool_call|session_info/i;
/** No escape can be a letter. */
const PLAIN = /^[^\\]*(?:\\["\\/bfnrt][^\\]*)*$/;

/**
 * @param text of bytes that are UTF-8, a character for each: what is looked for is ASCII, which is part of no other one.
 * @param from where the line begins. @param to where it ends.
 */
export function isHarmless(text: string, from: number, to: number): boolean {
  HEAD.lastIndex = from;
  if (!HEAD.test(text)) return false;
  const rest = text.slice(HEAD.lastIndex, to);
  return !READ.test(rest) && (!rest.includes("\\") || PLAIN.test(rest));
}
