// Place
// How far a file has been read, and the marks by which the file is recognised as the same.
//
//   Owns:          the marks of a file, comparing a file with its marks.
//   Does not own:  reading further (lines), storing places (places).
//
// TRANSCRIPTS-PLACE-1. Reading continues at the stored place only if the file is the same (device, inode), begins as before,
//     and has the same bytes right before the place. Any other file is read from its beginning, or, if it is longer than
//     `historyBytes`, only its last `historyBytes`: lines that are read twice change nothing.
// TRANSCRIPTS-PLACE-2. The part of an unfinished line that has been read is read again only if that part has changed in the file.

import { createHash } from "node:crypto";
import type { BigIntStats } from "node:fs";
import type { FileHandle } from "node:fs/promises";

interface Mark {
  readonly length: number;
  readonly hash: string;
}

export interface Place {
  readonly dev: string;
  readonly ino: string;
  /** The offset of the first byte that was not read as a line. */
  readonly offset: number;
  /** The mark of the file's beginning. */
  readonly head: Mark;
  /** The mark of the bytes right before the offset. */
  readonly last: Mark;
}

/** The bytes after a place that were already examined and contain no line break. */
export interface Begun {
  readonly length: number;
  /** The last of the examined bytes, as they were read. */
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

/** @param read the bytes that were read last. @param length how many bytes were examined in all, with those read earlier. */
export function begunWith(before: Begun, read: Uint8Array, length: number): Begun {
  const whole = length > read.length ? Buffer.concat([before.tail, read]) : Buffer.from(read);
  return { length, tail: whole.subarray(Math.max(0, whole.length - LAST_BYTES)) };
}

/** Whether the examined part of a line is unchanged in the file (TRANSCRIPTS-PLACE-2). */
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

/**
 * The place at the offset where reading begins. The bytes before it were not read as lines, so its marks are read from the file.
 */
export async function placeAt(file: FileHandle, { dev, ino }: BigIntStats, offset: number): Promise<Place> {
  const before = Math.min(offset, LAST_BYTES);
  const last = markOf(await bytesAt(file, offset - before, before));
  return { dev: String(dev), ino: String(ino), offset, head: await headOf(file), last };
}

const headOf = async (file: FileHandle): Promise<Mark> => markOf(await bytesAt(file, 0, HEAD_BYTES));

/** The place after further bytes were read. @param read how many. @param tail the last of these bytes, as they were read. */
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

export async function compare(file: FileHandle, found: BigIntStats, place: Place): Promise<Verdict> {
  if (String(found.dev) !== place.dev || String(found.ino) !== place.ino) return "replaced";
  if (found.size < BigInt(place.offset)) return "truncated";
  const { head, last, offset } = place;
  const isKnown = async (mark: Mark, at: number): Promise<boolean> =>
    markOf(await bytesAt(file, at, mark.length)).hash === mark.hash;
  return (await isKnown(head, 0)) && (await isKnown(last, offset - last.length)) ? "same" : "replaced";
}
