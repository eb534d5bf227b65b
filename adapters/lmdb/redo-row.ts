// Redo row
// One commit as one row of the redo log: the whole text of each row that it wrote, and the keys of the rows that it removed.
//
//   Owns:          the form of a redo row, and its checksum.
//   Does not own:  the numbers of redo rows, when a row is written (redo-log.ts), what an unreadable row means (fold.ts).
//
// REDO-ROW-1. A redo row is accepted only under the number that it was written under: its checksum includes that number.

import { crc32 } from "node:zlib";
import type { Write } from "../../runtime/ports.ts";

const SUM_BYTES = 4;
const PUT = "+";
const REMOVAL = "-";

/** A line break ends each key, because no key contains one (runtime/writes.ts). Each text comes after its length. */
export function encodeRedo(n: number, writes: readonly Write[]): Buffer {
  let text = "";
  for (const write of writes) {
    text +=
      "put" in write
        ? `${PUT}${write.put}\n${write.value.length}\n${write.value}`
        : `${REMOVAL}${write.del}\n`;
  }
  const bytes = Buffer.allocUnsafe(SUM_BYTES + Buffer.byteLength(text));
  bytes.write(text, SUM_BYTES);
  bytes.writeUInt32LE(crc32(bytes.subarray(SUM_BYTES), n >>> 0));
  return bytes;
}

/** @returns the row's writes; undefined if the row was not written under this number. */
export function decodeRedo(n: number, bytes: Buffer): readonly Write[] | undefined {
  if (!isRedo(n, bytes)) return undefined;
  const text = bytes.toString("utf8", SUM_BYTES);
  const writes: Write[] = [];
  let at = 0;
  const line = (): string => {
    const from = at;
    const to = text.indexOf("\n", from);
    at = to + 1;
    return text.slice(from, to);
  };
  while (at < text.length) {
    const isPut = text[at] === PUT;
    const key = line().slice(1);
    if (!isPut) {
      writes.push({ del: key });
      continue;
    }
    const length = Number(line());
    writes.push({ put: key, value: text.slice(at, at + length) });
    at += length;
  }
  return writes;
}

export function isRedo(n: number, bytes: Buffer): boolean {
  return bytes.length > SUM_BYTES && bytes.readUInt32LE() === crc32(bytes.subarray(SUM_BYTES), n >>> 0);
}
