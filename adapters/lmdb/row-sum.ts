// Row sum
// Stores a checksum with each row, so that a row which was altered on disk is noticed.
//
//   Owns:          the form of the checksum, what a reader gets if the checksum does not fit.
//   Does not own:  when rows are written and read (transaction.ts, store.ts, tail.ts).
//   Decided in:    docs/decisions/0071-a-sum-behind-each-row.md.
//
// ROW-SUM-1. Reading a damaged row gives a text that no valid row can have. Only who reads that row gets an error; other rows are
//     not affected.
// ROW-SUM-2. A row that an earlier version of Signalbox wrote has no checksum, and is read unchanged. An earlier version can read
//     a row with a checksum.

import { crc32 } from "node:zlib";

/**
 * Separates a row's text from its checksum, which is white space that JSON readers skip. The text itself has no bare line break.
 */
const MARK = "\n";
const BLANKS = [" ", "\t", "\n", "\r"] as const;
/** The four blank characters that stand for each byte of a checksum. */
const QUADS = Array.from({ length: 256 }, (_, byte) =>
  [0, 2, 4, 6].map((bits) => BLANKS[((byte >>> bits) & 3) as 0 | 1 | 2 | 3]).join(""),
);
const SUM_LENGTH = MARK.length + 16;

/** The first character of a row that is recognised as damaged. No sound row begins with it, because rows are JSON. */
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
