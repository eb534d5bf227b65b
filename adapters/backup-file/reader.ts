// Reader
// Reads a backup file frame by frame, and yields a frame only if it is unchanged.
//
//   Owns:          recognising a file that is cut off, damaged, in another format, or no backup; the message for each case.
//   Does not own:  the form of frames (frame.ts), the content of frames.
//
// BACKUP-FILE-READER-1. A frame is yielded only if its digest matches all bytes of the file up to the frame's end. The last
//     frame must also have the right SHA-256 and number of frames for each part, and nothing may follow it.

import { type FileHandle, open } from "node:fs/promises";
import { RefusedError } from "../../runtime/errors/errors.ts";
import {
  BODY_BYTES_MAX,
  DIGEST_BYTES,
  digestOf,
  FIRST_LINE,
  firstDigest,
  FORMAT,
  type Head,
  HEAD_BYTES_MAX,
  LENGTHS_BYTES,
  Sums,
  unpacked,
} from "./frame.ts";

export interface ReadFrame {
  readonly head: Head;
  readonly body: Buffer;
  readonly before: Buffer;
  /** The offset in the file at which the frame ends. */
  readonly to: number;
  /** The length of the whole file, in bytes. */
  readonly of: number;
}

const KIND = /^signalbox backup (\d+)\n/;

/** @returns whether the file begins like a backup, of whatever format. @throws the file system's own errors. */
export async function isBackup(path: string): Promise<boolean> {
  const file = await open(path, "r");
  try {
    return KIND.test((await bytesAt(file, 0, FIRST_LINE.length + 8)).toString("latin1"));
  } finally {
    await file.close();
  }
}

/** @throws RefusedError NOT_A_BACKUP, BACKUP_FORMAT, BACKUP_CUT, BACKUP_DAMAGED; the file system's own errors. */
export async function* readBackup(path: string): AsyncGenerator<ReadFrame> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    checkKind(path, (await bytesAt(file, 0, FIRST_LINE.length + 8)).toString("latin1"));
    const sums = new Sums();
    let before = firstDigest();
    for (let at = FIRST_LINE.length; ;) {
      const { head, body, digest, to } = await frameAt(file, path, at, before);
      const isEnd = head.part === "end";
      if (isEnd && to !== size) throw damaged(path, to, "something follows its last part");
      if (isEnd && JSON.stringify(head["parts"]) !== JSON.stringify(sums.parts()))
        throw damaged(path, at, "its parts do not match their sums");
      yield { head, body, before, to, of: size };
      if (isEnd) return;
      sums.add(head, body);
      [before, at] = [digest, to];
    }
  } finally {
    await file.close();
  }
}

/** @throws RefusedError BACKUP_CUT, BACKUP_DAMAGED */
async function frameAt(file: FileHandle, path: string, at: number, before: Buffer) {
  const lengths = await bytesAt(file, at, LENGTHS_BYTES);
  if (lengths.length < LENGTHS_BYTES) throw cut(path, at + lengths.length);
  const [headBytes, bodyBytes] = [lengths.readUInt32BE(0), lengths.readUInt32BE(4)];
  if (headBytes > HEAD_BYTES_MAX || bodyBytes > BODY_BYTES_MAX)
    throw damaged(path, at, "no part can be that long");
  const length = LENGTHS_BYTES + headBytes + bodyBytes;
  const { size } = await file.stat();
  if (at + length + DIGEST_BYTES > size) throw cut(path, size);
  const bytes = await bytesAt(file, at, length + DIGEST_BYTES);
  const digest = digestOf(bytes.subarray(0, length), before);
  if (!digest.equals(bytes.subarray(length)))
    throw damaged(path, at, "its bytes are not those that were written");
  try {
    const head = JSON.parse(bytes.toString("utf8", LENGTHS_BYTES, LENGTHS_BYTES + headBytes)) as Head;
    const body = unpacked(bytes.subarray(LENGTHS_BYTES + headBytes, length));
    return { head, body, digest, to: at + length + DIGEST_BYTES };
  } catch {
    throw damaged(path, at, "a part is in no known form");
  }
}

/** @returns `length` bytes, or fewer if the file ends before. */
async function bytesAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, at);
  return buffer.subarray(0, bytesRead);
}

function checkKind(path: string, text: string): void {
  const [, found] = KIND.exec(text) ?? [];
  if (found === undefined)
    throw new RefusedError(
      "NOT_A_BACKUP",
      `${path} is not a backup of Signalbox, or its beginning is damaged.`,
      "Name a file that `npx signalbox backup FILE` made.",
    );
  if (Number(found) === FORMAT && text.startsWith(FIRST_LINE)) return;
  throw new RefusedError(
    "BACKUP_FORMAT",
    `The backup ${path} has format ${found}, and this version of Signalbox reads format ${FORMAT}.`,
    "Restore the backup with the version that made it, or a newer one.",
  );
}

const cut = (path: string, at: number): RefusedError =>
  new RefusedError(
    "BACKUP_CUT",
    `The backup ${path} ends at byte ${at} in the middle of a part: it was cut, or a length in it is damaged.`,
    OTHER_COPY,
  );

const damaged = (path: string, at: number, why: string): RefusedError =>
  new RefusedError("BACKUP_DAMAGED", `The backup ${path} is damaged at byte ${at}: ${why}.`, OTHER_COPY);

const OTHER_COPY = "Nothing was restored. Use another copy of this backup, or an earlier backup.";
