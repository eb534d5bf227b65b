// Row sum
// Stores a checksum with each row, so that a row which was altered on disk is noticed.
//
//   Owns:          the form of the checksum, what is read if it does not fit.
//   Does not own:  when rows are written and read (transaction.ts, store.ts, tail.ts), the checksum of redo (redo-row.ts).
//   Decided in:    docs/decisions/0071-a-sum-behind-each-row.md.
//
// ROW-SUM-1. A damaged row reads as a text that no row can have. Only its own readers get an error; other rows are not affected.
// ROW-SUM-2. A row of an earlier version has no checksum, and reads unchanged. An earlier version can read a row with one.

import { crc32 } from "node:zlib";

/** The checksum follows a line break, which JSON never contains bare, as white space that JSON readers skip. */
const MARK = "\n";
const BLANKS = [" ", "\t", "\n", "\r"] as const;
/** Each byte of a checksum as four blank characters. */
const QUADS = Array.from({ length: 256 }, (_, byte) =>
  [0, 2, 4, 6].map((bits) => BLANKS[((byte >>> bits) & 3) as 0 | 1 | 2 | 3]).join(""),
);
const SUM_LENGTH = MARK.length + 16;

/** How a damaged row begins. No real row begins so, because a row is JSON. */
const ALTERED = "\0";

export const summed = (key: string, text: string): string => text + sumOf(key, text);

/** @param stored a row in its place. @returns the row's text (ROW-SUM-1, ROW-SUM-2). */
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
