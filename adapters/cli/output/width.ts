// Width
// Counts how many terminal columns a text takes.
//
//   Owns:          the width of each character, cutting and breaking a text at a number of columns.
//   Does not own:  which characters may be printed at all (runtime/text/visible).
//
// OUTPUT-WIDTH-1. A character takes the columns that Unicode's annex 11 says: wide ones take two, combining marks none.

import { eastAsianWidth } from "get-east-asian-width";

const MARK = /\p{Mn}|\p{Me}/u;

export function widthOf(text: string): number {
  let columns = 0;
  for (const letter of text) columns += widthOfLetter(letter);
  return columns;
}

export function cut(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  return columns < 1 ? "" : `${broken(text, columns - 1)[0] ?? ""}…`;
}

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
  return MARK.test(letter) ? 0 : eastAsianWidth(letter.codePointAt(0) ?? 0);
}
