// Lines
// Reads the next whole lines of a file that is still being written.
//
//   Owns:          splitting bytes into lines, the limits on one read.
//   Does not own:  what a line means (sending), where reading begins (place).
//
// TRANSCRIPTS-LINES-1. A line is returned once its line break is in the file, however many writes its bytes came in.
// TRANSCRIPTS-LINES-2. At most one piece of a file, or one line of the greatest length, is in memory. Of a longer line, only its
//     length and beginning are returned.

import type { FileHandle } from "node:fs/promises";

export interface Line {
  /** The offset of the line's first byte in the file. */
  readonly at: number;
  /** The line's bytes without the line break; of a line that is too long, only the beginning. */
  readonly bytes: Buffer;
  readonly length: number;
  readonly isTooLong: boolean;
}

export interface Piece {
  readonly lines: readonly Line[];
  /** How many bytes the lines have, with their line breaks. */
  readonly read: number;
  /** The last bytes of the lines, as this call read them; if no line was complete, all bytes that this call read. */
  readonly tail: Uint8Array;
  /** How many bytes after the lines were examined and contain no line break. */
  readonly scanned: number;
  /** The part of the examined bytes that this call read. */
  readonly rest: Buffer;
  /** Whether the file was read to its end. */
  readonly isEnd: boolean;
}

export interface LineLimits {
  readonly pieceBytes: number;
  readonly lineBytes: number;
  readonly lines: number;
}

const BREAK = 0x0a;
const HEAD_BYTES = 16 * 1024;

/** @param offset where a line begins. @param scanned how many bytes after the offset are known to contain no line break. */
export async function readLines(
  file: FileHandle,
  offset: number,
  scanned: number,
  { pieceBytes, lineBytes, lines: linesMax }: LineLimits,
): Promise<Piece> {
  const from = offset + scanned;
  const { bytesRead, buffer } = await file.read(Buffer.alloc(pieceBytes), 0, pieceBytes, from);
  const piece = buffer.subarray(0, bytesRead);
  const isAll = bytesRead < pieceBytes;
  const first = piece.indexOf(BREAK);
  if (first === -1)
    return { lines: [], read: 0, tail: piece, scanned: scanned + bytesRead, rest: piece, isEnd: isAll };
  const lines = [await firstLine(file, offset, scanned, lineBytes, piece.subarray(0, first))];
  let end = first + 1;
  while (lines.length < linesMax) {
    const next = piece.indexOf(BREAK, end);
    if (next === -1) break;
    lines.push({ at: from + end, bytes: piece.subarray(end, next), length: next - end, isTooLong: false });
    end = next + 1;
  }
  const isLast = piece.indexOf(BREAK, end) === -1;
  const rest = isLast ? piece.subarray(end) : piece.subarray(0, 0);
  return {
    lines,
    read: scanned + end,
    tail: piece.subarray(0, end),
    scanned: rest.length,
    rest,
    isEnd: isAll && isLast,
  };
}

/** The first line of a piece; its beginning may have been read by an earlier call. */
async function firstLine(
  file: FileHandle,
  offset: number,
  scanned: number,
  lineBytes: number,
  end: Buffer,
): Promise<Line> {
  const length = scanned + end.length;
  const isTooLong = length > lineBytes;
  if (scanned === 0 && !isTooLong) return { at: offset, bytes: end, length, isTooLong };
  const wanted = isTooLong ? Math.min(length, HEAD_BYTES) : scanned;
  const { bytesRead, buffer } = await file.read(Buffer.alloc(wanted), 0, wanted, offset);
  const begun = buffer.subarray(0, bytesRead);
  return { at: offset, bytes: isTooLong ? begun : Buffer.concat([begun, end]), length, isTooLong };
}
