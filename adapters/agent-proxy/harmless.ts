// Harmless
// Recognises, without parsing them, lines that cannot let an agent do anything: the stream of the agent's words.
//
//   Owns:          which lines are passed on unread.
//   Does not own:  how harmless lines begin (each protocol); all other lines, which are parsed (message).
//
// HARMLESS-1. A harmless line begins as a notification of the protocol, and no reader finds another method in it: the word
//     `method` occurs once, in upper or lower case, and escapes or bytes that are not UTF-8 cannot spell it a second time.
// HARMLESS-2. Readers that split lines at other bytes, take the first or the last of two equal keys, or accept malformed JSON
//     find no other method in a harmless line either.

export interface HarmlessForm {
  /** A sticky expression for the beginning of a harmless line, up to the brace that opens the parameters. */
  readonly head: RegExp;
  /** Matches if the line must be parsed, because its content is reported to the engine. */
  readonly read: RegExp;
}

/** The characters behind a backslash that make an escape for no letter. */
const ESCAPES = '"\\/bfnrt';

/** Not one expression for the whole text: on a long text with many escapes, it throws a RangeError. */
function isPlain(text: string): boolean {
  for (let at = text.indexOf("\\"); at >= 0; at = text.indexOf("\\", at + 2))
    if (!ESCAPES.includes(text[at + 1] ?? "u")) return false;
  return true;
}

/** @param text UTF-8 bytes, one character for each byte, so that ASCII words can be found. @param from where the line begins. */
export function isHarmless({ head, read }: HarmlessForm, text: string, from: number, to: number): boolean {
  head.lastIndex = from;
  if (!head.test(text)) return false;
  const rest = text.slice(head.lastIndex, to);
  return !read.test(rest) && isPlain(rest);
}
