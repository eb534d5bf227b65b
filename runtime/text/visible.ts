// Visible
// Makes foreign text safe to show: characters that would steer a terminal, hide or reorder text are shown themselves.
//
//   Owns:          which characters these are, and what is shown in their place.
//   Does not own:  when text is shown (the command line and the panel pass all text through here).
//
// VISIBLE-1. No character below U+0020 but the newline, no C1, bidi, zero-width or other invisible character comes out.
// VISIBLE-2. `safeJson` returns the same JSON value.

/** Controls, format characters (bidi, zero-width, tags), surrogate halves, line separators, and what draws nothing. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** @returns the text with every hidden character shown; newlines stay. */
export function visible(text: string): string {
  return text.replace(HIDDEN, (found) => (found === "\n" ? found : pictureOf(found)));
}

/** @returns the text in one line, newlines shown too, cut to `widthMax` characters with an ellipsis. */
export function oneLine(text: string, widthMax = Infinity): string {
  const shown = visible(text).replaceAll("\n", "␊");
  const letters = Array.from(shown);
  return letters.length <= widthMax ? shown : `${letters.slice(0, Math.max(0, widthMax - 1)).join("")}…`;
}

/** @returns the JSON text with hidden characters only as `\uXXXX`. */
export function safeJson(value: unknown): string {
  return JSON.stringify(value).replace(HIDDEN, (found) =>
    Array.from({ length: found.length }, (_, index) => `\\u${hex(found.charCodeAt(index))}`).join(""),
  );
}

/** Unicode has pictures of the oldest controls; the others show their number. */
function pictureOf(found: string): string {
  const code = found.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return code === 0x7f ? "␡" : `<U+${hex(code).toUpperCase()}>`;
}

const hex = (code: number): string => code.toString(16).padStart(4, "0");
