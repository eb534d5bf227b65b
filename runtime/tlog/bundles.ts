// Bundles
// Writes and reads the entries of a log in bundles of 256. Before each entry stands its length, in two bytes.
//
//   Owns:          the form of a bundle (C2SP tlog-tiles).
//   Does not own:  the content of an entry (runtime/audit), where bundles are stored (tiles.ts).
//
// TLOG-BUNDLES-1. Reading a bundle returns the entries that were written; a bundle with a byte too many or too few is refused.

import { RefusedError } from "../errors/errors.ts";

/** The bundle of some entries. @throws RangeError for an entry of more than 65,535 bytes. */
export function bundleOf(entries: readonly Uint8Array[]): Buffer {
  return Buffer.concat(entries.flatMap((entry) => [lengthOf(entry), entry]));
}

function lengthOf({ length }: Uint8Array): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(length);
  return bytes;
}

/** @throws RefusedError BAD_BUNDLE (TLOG-BUNDLES-1) */
export function entriesIn(bundle: Buffer): readonly Buffer[] {
  const entries: Buffer[] = [];
  for (let at = 0; at < bundle.length;) {
    const begin = at + 2;
    const end = begin <= bundle.length ? begin + bundle.readUInt16BE(at) : Infinity;
    if (end > bundle.length)
      throw new RefusedError(
        "BAD_BUNDLE",
        "A bundle of entries ends in the middle of an entry.",
        "Replace the log's damaged file with an undamaged copy.",
      );
    entries.push(bundle.subarray(begin, end));
    at = end;
  }
  return entries;
}
