// Kept log
// Reads a stored audit log: its entries with their openings.
//
//   Owns:          reading the entries, openings and hashes of an audit log by their number.
//   Does not own:  the files of an audit log (adapters/audit-log), checking the log (verify-log.ts).
//
// KEPT-LOG-1. Only the part of the log that the checkpoint covers is read, because an engine may append rows at the same time.

import { RefusedError } from "../errors/errors.ts";
import { entriesIn } from "../tlog/bundles.ts";
import { openedCheckpoint, type Checkpoint } from "../tlog/checkpoint.ts";
import type { Verifier } from "../tlog/note.ts";
import { type Level, subtreesOf, TILE_WIDTH, tilePath, widthOf } from "../tlog/tiles.ts";
import type { SubtreeHash } from "../tlog/tree.ts";
import type { Leaf } from "./entry.ts";

export interface KeptLog {
  /** Reads the log's checkpoint, a signed note; undefined if there is no log. */
  checkpoint(): string | undefined;
  /**
   * Reads a piece of the log: a tile (a file with up to 256 hashes of one level of the tree), or a bundle (a file with up to
   * 256 entries).
   * @param width how many hashes or entries the piece has.
   * @returns undefined if the piece is missing.
   */
  piece(level: Level, n: number, width: number): Buffer | undefined;
  /** False for a copy of the log's public part, which has no openings. */
  readonly hasOpenings: boolean;
  /** Reads the openings of a bundle's entries, one in each line; undefined if the openings are missing. */
  openings(n: number): string | undefined;
}

/** A log after its checkpoint was checked. */
export interface OpenedLog extends Checkpoint {
  readonly note: string;
  readonly kept: KeptLog;
}

/** @throws RefusedError NO_AUDIT_LOG, and the errors of `openedCheckpoint`. */
export function openLog(kept: KeptLog, verifier: Verifier): OpenedLog {
  const note = kept.checkpoint();
  if (note === undefined)
    throw new RefusedError(
      "NO_AUDIT_LOG",
      "There is no audit log here yet.",
      "An engine begins one on its data folder: npx signalbox up",
    );
  return { ...openedCheckpoint(note, verifier), note, kept };
}

/** How many hashes or entries the tile or bundle `n` of a level holds, in a log of `size` entries. */
export const pieceWidth = (level: number, n: number, size: number): number =>
  Math.min(TILE_WIDTH, widthOf(level, size) - n * TILE_WIDTH);

/** @throws RefusedError MISSING_PIECE */
export function pieceOf({ kept, size }: OpenedLog, level: Level, n: number): Buffer {
  const width = pieceWidth(level === "entries" ? 0 : level, n, size);
  const found = kept.piece(level, n, width);
  if (found) return found;
  throw new RefusedError(
    "MISSING_PIECE",
    `${tilePath(level, n, width)} is missing.`,
    "Put the missing file back from a copy of the log.",
  );
}

/** The entries of a bundle. @throws RefusedError MISSING_PIECE, BAD_BUNDLE */
export const entriesOf = (log: OpenedLog, n: number): readonly Buffer[] =>
  entriesIn(pieceOf(log, "entries", n));

/** The entries of a bundle with their openings. @throws RefusedError MISSING_PIECE, BAD_BUNDLE */
export function leavesIn(log: OpenedLog, n: number): readonly Leaf[] {
  const lines = log.kept.openings(n)?.split("\n") ?? [];
  return entriesOf(log, n).map((entry, place) => ({ entry: entry.toString(), opening: lines[place] ?? "" }));
}

/** The hashes of a log's subtrees; each tile is read once. */
export function hashesOf(log: OpenedLog): SubtreeHash {
  const read = new Map<string, Buffer>();
  return subtreesOf((level, n) => {
    const name = `${level}/${n}`;
    const piece = read.get(name) ?? pieceOf(log, level, n);
    read.set(name, piece);
    return piece;
  });
}
