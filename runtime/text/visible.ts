// Visible
// Makes text from clients, agents and other senders safe to show: characters that would control a terminal, or hide or reorder
// text, become visible.
//
//   Owns:          which characters of such text are replaced, and by what.
//   Does not own:  showing text (the command line and the panel first pass all text of senders through this file).
//
// VISIBLE-1. The result contains no character below U+0020 except the newline, and no C1, bidi, zero-width or other invisible
//     character.
// VISIBLE-2. Parsing the text that `safeJson` returns gives the same JSON value.

/**
 * Matches control and format characters (bidi, zero-width, tags), surrogate halves, line separators, and characters without a
 * glyph.
 */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** The text with every hidden character made visible; newlines remain unchanged. */
export function visible(text: string): string {
  return text.replace(HIDDEN, (found) => (found === "\n" ? found : pictureOf(found)));
}

/** The text in one line, with visible newlines, cut to `widthMax` characters with an ellipsis. */
export function oneLine(text: string, widthMax = Infinity): string {
  const shown = visible(text).replaceAll("\n", "␊");
  const letters = Array.from(shown);
  return letters.length <= widthMax ? shown : `${letters.slice(0, Math.max(0, widthMax - 1)).join("")}…`;
}

/** The JSON text in which each hidden character is escaped: a backslash, a `u` and four hexadecimal digits. */
export function safeJson(value: unknown): string {
  return JSON.stringify(value).replace(HIDDEN, (found) =>
    Array.from({ length: found.length }, (_, index) => `\\u${hex(found.charCodeAt(index))}`).join(""),
  );
}

/**
 * What stands for a hidden character: Unicode's picture of it, which only the oldest control characters have, or else its number.
 */
function pictureOf(found: string): string {
  const code = found.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return code === 0x7f ? "␡" : `<U+${hex(code).toUpperCase()}>`;
}

const hex = (code: number): string => code.toString(16).padStart(4, "0");
