// Frame
// The form of a backup file: a first line that names the format, then frames, each with a digest of all bytes before it.
//
//   Owns:          the bytes of a frame, the chain of digests, the SHA-256 and the number of frames of each part.
//   Does not own:  writing and reading files (writer.ts, reader.ts), the frames' content.
//   Decided in:    docs/decisions/0074-a-backup-is-rows.md.
//
// BACKUP-FILE-FRAME-1. Digests cover every byte, so a reader notices each changed, moved, missing or doubled byte at its frame.
// BACKUP-FILE-FRAME-2. The last frame contains the SHA-256 and the number of frames of each part. A file without this frame is
//     not a complete backup.

import { createHash, type Hash, hash } from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";

export const FORMAT = 1;
export const FIRST_LINE = `signalbox backup ${FORMAT}\n`;
export const LENGTHS_BYTES = 8;
export const DIGEST_BYTES = 32;
/** The longest body of a frame, packed or unpacked. A tool's input, the longest text in a backup, is much shorter. */
export const BODY_BYTES_MAX = 256 << 20;
export const HEAD_BYTES_MAX = 1 << 20;
/** The level of compression. Rows are similar texts, so even the fastest level reduces them to a quarter. */
const LEVEL = 1;

/** The head of a frame. `part` names the part of the backup to which the frame belongs; the other fields depend on it. */
export interface Head {
  readonly part: string;
  readonly [field: string]: unknown;
}

export const firstDigest = (): Buffer => hash("sha256", FIRST_LINE, "buffer");

/** @param before the digest of the previous frame. @returns the frame as it is written, and its own digest. */
export function encodeFrame(head: Head, body: Uint8Array, before: Buffer): { bytes: Buffer; digest: Buffer } {
  const [text, packed] = [Buffer.from(JSON.stringify(head)), deflateRawSync(body, { level: LEVEL })];
  const lengths = Buffer.alloc(LENGTHS_BYTES);
  lengths.writeUInt32BE(text.length, 0);
  lengths.writeUInt32BE(packed.length, 4);
  const bytes = Buffer.concat([lengths, text, packed]);
  const digest = digestOf(bytes, before);
  return { bytes: Buffer.concat([bytes, digest]), digest };
}

export const digestOf = (bytes: Uint8Array, before: Buffer): Buffer =>
  createHash("sha256").update(before).update(bytes).digest();

/** @throws Error if `encodeFrame` did not pack these bytes. */
export const unpacked = (packed: Uint8Array): Buffer =>
  inflateRawSync(packed, { maxOutputLength: BODY_BYTES_MAX });

export type PartSums = Readonly<Record<string, { readonly frames: number; readonly sha256: string }>>;

export class Sums {
  readonly #parts = new Map<string, { frames: number; hash: Hash }>();

  add(head: Head, body: Uint8Array): void {
    const part = this.#parts.get(head.part) ?? { frames: 0, hash: createHash("sha256") };
    this.#parts.set(head.part, part);
    part.frames += 1;
    part.hash.update(`${JSON.stringify(head)}\n`).update(body);
  }

  parts(): PartSums {
    return Object.fromEntries(
      [...this.#parts].map(([name, { frames, hash: sum }]) => [
        name,
        { frames, sha256: sum.copy().digest("hex") },
      ]),
    );
  }
}
