// Row sum
// A checksum behind each row in its place, so that a row that was altered at rest is not taken for what was written.
//
//   Owns:          the form of the sum, what is read where it does not fit.
//   Does not own:  when rows are written and read (transaction.ts, store.ts, tail.ts), the sum of redo (redo-row.ts).
//   Decided in:    docs/decisions/0071-a-sum-behind-each-row.md.
//
// ROW-SUM-1. A damaged row reads as a text that no row can have. So only its readers learn that it cannot be read; the
//     others are not affected.
// ROW-SUM-2. A row of an earlier version has no sum, and reads as it stands. An earlier version reads a row with a sum.

import { crc32 } from "node:zlib";

/** JSON never has a bare line break, and passes over white space behind a value. */
const MARK = "\n";
const BLANKS = [" ", "\t", "\n", "\r"] as const;
/** Four blanks for each byte. */
const QUADS = Array.from({ length: 256 }, (_, byte) =>
  [0, 2, 4, 6].map((bits) => BLANKS[((byte >>> bits) & 3) as 0 | 1 | 2 | 3]).join(""),
);
const SUM_LENGTH = MARK.length + 16;

/** A row never begins with this, for a row is JSON. */
const ALTERED = "\0";

export const summed = (key: string, text: string): string => text + sumOf(key, text);

/** @param stored a row in its place. @returns its text (ROW-SUM-1, ROW-SUM-2). */
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
