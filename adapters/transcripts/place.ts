// Place
// How far a file was read, and the marks by which it is recognised as the same file.
//
//   Owns:          the marks of a file, comparing a file with them.
//   Does not own:  reading further (lines), storing places (places).
//
// TRANSCRIPTS-PLACE-1. Reading continues at the place only if the file is the same (device, inode), begins as before, and has the
//     same bytes right before the place. Any other file is read from its beginning: known lines change nothing.
// TRANSCRIPTS-PLACE-2. The part of an unfinished line that was already examined is not examined again, as long as it is unchanged
//     in the file. Otherwise the line is examined from its beginning.

import { createHash } from "node:crypto";
import type { BigIntStats } from "node:fs";
import type { FileHandle } from "node:fs/promises";

/** A number of bytes of the file, and their hash. */
interface Mark {
  readonly length: number;
  readonly hash: string;
}

export interface Place {
  readonly dev: string;
  readonly ino: string;
  /** The offset of the first byte that was not read as a line. */
  readonly offset: number;
  /** The file's beginning. */
  readonly head: Mark;
  /** The bytes right before the offset. */
  readonly last: Mark;
}

/** The bytes after a place that were examined and contain no line break. */
export interface Begun {
  readonly length: number;
  /** The last of these bytes, as they were read. */
  readonly tail: Buffer;
}

export type Verdict = "same" | "replaced" | "truncated";

const HEAD_BYTES = 1_024;
const LAST_BYTES = 256;

const markOf = (bytes: Uint8Array): Mark => ({
  length: bytes.length,
  hash: createHash("sha256").update(bytes).digest("hex"),
});

export const NOTHING_BEGUN: Begun = { length: 0, tail: Buffer.alloc(0) };

/** @param read the bytes that were read last; if they are only the end, the known beginning comes before them. */
export function begunWith(before: Begun, read: Uint8Array, length: number): Begun {
  const whole = length > read.length ? Buffer.concat([before.tail, read]) : Buffer.from(read);
  return { length, tail: whole.subarray(Math.max(0, whole.length - LAST_BYTES)) };
}

/** Whether the examined bytes are still in the file (TRANSCRIPTS-PLACE-2). */
export async function isBegun(
  file: FileHandle,
  { offset }: Place,
  { length, tail }: Begun,
): Promise<boolean> {
  const there = await bytesAt(file, offset + length - tail.length, tail.length);
  return there.equals(tail);
}

async function bytesAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

/** A place in a file whose earlier bytes were not read. */
export async function placeAt(file: FileHandle, { dev, ino }: BigIntStats, offset: number): Promise<Place> {
  const before = Math.min(offset, LAST_BYTES);
  const last = markOf(await bytesAt(file, offset - before, before));
  return { dev: String(dev), ino: String(ino), offset, head: await headOf(file), last };
}

const headOf = async (file: FileHandle): Promise<Mark> => markOf(await bytesAt(file, 0, HEAD_BYTES));

/** The place after the bytes that were read next. @param tail the last of these bytes, as they were read. */
export async function placeAfter(
  file: FileHandle,
  place: Place,
  read: number,
  tail: Uint8Array,
): Promise<Place> {
  const last = markOf(tail.subarray(Math.max(0, tail.length - LAST_BYTES)));
  const head = place.head.length < HEAD_BYTES ? await headOf(file) : place.head;
  return { ...place, offset: place.offset + read, head, last };
}

/** Whether reading of a file can continue at a place. */
export async function compare(file: FileHandle, found: BigIntStats, place: Place): Promise<Verdict> {
  if (String(found.dev) !== place.dev || String(found.ino) !== place.ino) return "replaced";
  if (found.size < BigInt(place.offset)) return "truncated";
  const { head, last, offset } = place;
  const isKnown = async (mark: Mark, at: number): Promise<boolean> =>
    markOf(await bytesAt(file, at, mark.length)).hash === mark.hash;
  return (await isKnown(head, 0)) && (await isKnown(last, offset - last.length)) ? "same" : "replaced";
}
