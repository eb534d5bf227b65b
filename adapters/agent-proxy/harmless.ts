// Harmless
// Recognises, without parsing, lines that can let nothing happen: the stream of an agent's words.
//
//   Owns:          which lines are passed on unread.
//   Does not own:  how such lines begin (each protocol), all other lines (message), which are parsed.
//
// HARMLESS-1. A harmless line begins as a notification of the protocol, and no reader finds another method in it: the word
//     `method` occurs once, in any case. Its letters are not spelled by escapes, or by bytes that are not UTF-8.
// HARMLESS-2. Readers that split lines at other bytes, take either of two equal keys, or accept malformed JSON find no other
//     method in a harmless line either.

/** How the lines of an agent's words begin in a protocol. */
export interface HarmlessForm {
  /** A sticky expression, up to the brace that opens the parameters. */
  readonly head: RegExp;
  /** The words of lines that must be parsed, because they are reported to the engine. */
  readonly read: RegExp;
}

/** A text without escapes that stand for letters. */
const PLAIN = /^[^\\]*(?:\\["\\/bfnrt][^\\]*)*$/;

/**
 * Searches a line for bytes of ASCII text, which no other character contains in UTF-8.
 * @param text the bytes as a string, one character for each. @param from where the line begins. @param to where it ends.
 */
export function isHarmless({ head, read }: HarmlessForm, text: string, from: number, to: number): boolean {
  head.lastIndex = from;
  if (!head.test(text)) return false;
  const rest = text.slice(head.lastIndex, to);
  return !read.test(rest) && (!rest.includes("\\") || PLAIN.test(rest));
}
