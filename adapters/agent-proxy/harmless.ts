// Harmless
// Tells, without parsing them, lines that let nothing happen whoever reads them: the stream of an agent's words.
//
//   Owns:          which lines are passed on unread.
//   Does not own:  how such lines begin (each protocol), all others (message): what is not surely harmless is parsed.
//
// HARMLESS-1. Such a line begins as a notification of the protocol's, and no reader finds another method in it: the
//     word stands there once, in no case a second time, and nothing spells its letters by escapes, or by bytes that are
//     no UTF-8.
// HARMLESS-2. A reader that ends lines elsewhere, repeats keys, or takes no JSON for JSON finds none either.

/** How a protocol's words begin. */
export interface HarmlessForm {
  /** Sticky, up to the brace that opens the parameters. */
  readonly head: RegExp;
  /** Beside another method: what is told to the engine is read. */
  readonly read: RegExp;
}

/** A text without escapes that stand for letters. */
const PLAIN = /^[^\\]*(?:\\["\\/bfnrt][^\\]*)*$/;

/**
 * Searches bytes of ASCII text in a line; within UTF-8 no other character contains them.
 * @param text the bytes as a string, one character for each.
 * @param from where the line begins.
 * @param to where it ends.
 */
export function isHarmless({ head, read }: HarmlessForm, text: string, from: number, to: number): boolean {
  head.lastIndex = from;
  if (!head.test(text)) return false;
  const rest = text.slice(head.lastIndex, to);
  return !read.test(rest) && (!rest.includes("\\") || PLAIN.test(rest));
}
