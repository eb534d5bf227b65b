// Lines
// Reads the next whole lines of a file that still grows.
//
//   Owns:          splitting bytes into lines, the limits of one reading.
//   Does not own:  what a line means (sending), where reading begins (place).
//
// TRANSCRIPTS-LINES-1. A line counts once its line break has come, however its bytes were split.
// TRANSCRIPTS-LINES-2. At most one piece of a file, or one line of the greatest length, is in memory. A longer line is skipped,
//     and returned with its length and its beginning.

import type { FileHandle } from "node:fs/promises";

export interface Line {
  /** The offset of the line's first byte in the file. */
  readonly at: number;
  /** The line without its line break; only the beginning of a line that is too long. */
  readonly bytes: Buffer;
  readonly length: number;
  readonly isTooLong: boolean;
}

export interface Piece {
  readonly lines: readonly Line[];
  /** How many bytes the lines take up, and the last of those bytes. */
  readonly read: number;
  readonly tail: Uint8Array;
  /** The bytes after these lines that contain no line break, and the part of those read now. */
  readonly scanned: number;
  readonly rest: Buffer;
  /** Whether the whole file is read. */
  readonly isEnd: boolean;
}

export interface LineLimits {
  readonly pieceBytes: number;
  readonly lineBytes: number;
  readonly lines: number;
}

const BREAK = 0x0a;
const HEAD_BYTES = 16 * 1024;

/**
 * @param offset where a line begins, in bytes. @param scanned how many bytes from there on are known to contain no line break.
 */
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
  const lines = [await firstLine(file, { offset, scanned, lineBytes }, piece.subarray(0, first))];
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

interface Begun {
  readonly offset: number;
  readonly scanned: number;
  readonly lineBytes: number;
}

/** The line whose beginning was scanned before. */
async function firstLine(
  file: FileHandle,
  { offset, scanned, lineBytes }: Begun,
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
