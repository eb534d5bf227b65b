// Row sum
// Stores a checksum behind each row, so that a reader notices a row that was altered on disk.
//
//   Owns:          the form of the checksum, what a reader gets if the checksum does not fit.
//   Does not own:  when rows are written and read (transaction.ts, store.ts, tail.ts).
//   Decided in:    docs/decisions/0071-a-sum-behind-each-row.md.
//
// ROW-SUM-1. A damaged row is read as a text that no valid row can have, so only the reader of that row gets an error.
// ROW-SUM-2. An earlier version of Signalbox writes no checksums: its rows are read unchanged, and it can read new rows.

import { crc32 } from "node:zlib";

/**
 * Separates a row's text from its checksum, which is written as white space, because JSON readers skip white space. The row's
 * text itself contains no unescaped line break.
 */
const MARK = "\n";
const BLANKS = [" ", "\t", "\n", "\r"] as const;
/** The four blank characters that stand for each byte of a checksum. */
const QUADS = Array.from({ length: 256 }, (_, byte) =>
  [0, 2, 4, 6].map((bits) => BLANKS[((byte >>> bits) & 3) as 0 | 1 | 2 | 3]).join(""),
);
const SUM_LENGTH = MARK.length + 16;

/** What a reader gets instead of a damaged row. No sound row has this text, because it is no JSON. */
const ALTERED = "\0";

export const summed = (key: string, text: string): string => text + sumOf(key, text);

/** @param stored the row as the table has it. @returns the row's text (ROW-SUM-1, ROW-SUM-2). */
export function unsummed(key: string, stored: string): string {
  const end = stored.length - SUM_LENGTH;
  if (stored[end] !== MARK) return stored;
  const text = stored.slice(0, end);
  return stored.endsWith(sumOf(key, text)) ? text : ALTERED;
}

function sumOf(key: string, text: string): string {
  const sum = crc32(text, crc32(key));
  return MARK + [0, 8, 16, 24].map((bits) => QUADS[(sum >>> bits) & 255]).join("");
}
