// Width
// Counts how many terminal columns a text takes.
//
//   Owns:          the width of characters, cutting and breaking by columns.
//   Does not own:  which characters may be printed at all (runtime/visible).

/** East Asian letters and pictures take two columns, combining marks none (Unicode, annex 11). */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const MARK = /\p{Mn}|\p{Me}/u;

/** @param text one line. */
export function widthOf(text: string): number {
  let columns = 0;
  for (const letter of text) columns += widthOfLetter(letter);
  return columns;
}

/** Cuts a text to `columns`, with an ellipsis. */
export function cut(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  return columns < 1 ? "" : `${broken(text, columns - 1)[0] ?? ""}…`;
}

/** @returns the whole text in pieces of at most `columns`. */
export function broken(text: string, columns: number): readonly string[] {
  const pieces: string[] = [];
  let [piece, width] = ["", 0];
  for (const letter of text) {
    const more = widthOfLetter(letter);
    if (width + more > columns && piece !== "") {
      pieces.push(piece);
      [piece, width] = ["", 0];
    }
    piece += letter;
    width += more;
  }
  return [...pieces, piece];
}

function widthOfLetter(letter: string): number {
  if (letter < "\u0300") return 1;
  if (MARK.test(letter)) return 0;
  return WIDE.test(letter) ? 2 : 1;
}
