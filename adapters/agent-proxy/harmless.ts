// Harmless
// Recognises, without parsing them, lines that cannot let an agent do anything: the stream of the agent's words.
//
//   Owns:          which lines are passed on without being parsed.
//   Does not own:  how harmless lines begin (each protocol); all other lines, which are parsed (message).
//
// HARMLESS-1. A harmless line begins as a notification of the protocol, and no reader finds another method in it: `method`
//     occurs only once, in whatever case, and a line with escapes or bytes that could spell it again is not harmless.
// HARMLESS-2. Readers that split lines at other bytes, take the first or the last of two equal keys, or accept malformed JSON
//     find no other method in a harmless line either.

export interface HarmlessForm {
  /** A sticky expression for the beginning of a harmless line, up to the brace that opens the parameters. */
  readonly head: RegExp;
  /** Matches if the line must be parsed, because its content is reported to the engine. */
  readonly read: RegExp;
}

/**
 * The characters that may follow a backslash. `u` is missing: an escape such as `\u006d` spells a letter, and could so hide a
 * word from the expression `read`.
 */
const ESCAPES = '"\\/bfnrt';

/** Uses a loop, because a regular expression for the whole text throws a RangeError if the text is long and has many escapes. */
function isPlain(text: string): boolean {
  for (let at = text.indexOf("\\"); at >= 0; at = text.indexOf("\\", at + 2))
    if (!ESCAPES.includes(text[at + 1] ?? "u")) return false;
  return true;
}

/** @param text the UTF-8 bytes read as Latin-1, one character for each byte. @param from where the line begins. */
export function isHarmless({ head, read }: HarmlessForm, text: string, from: number, to: number): boolean {
  head.lastIndex = from;
  if (!head.test(text)) return false;
  const rest = text.slice(head.lastIndex, to);
  return !read.test(rest) && isPlain(rest);
}
