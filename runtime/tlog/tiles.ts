// Tiles
// The hashes of a log in pieces of 256, and where each piece stands.
//
//   Owns:          the names of tiles and bundles (C2SP tlog-tiles), which there are for a size, a subtree's hash out of them.
//   Does not own:  what an entry is, reading and writing files (adapters/audit-log).
//
// TLOG-TILES-1. A tile of a level has the roots of the full tiles of the level below, and nothing of one that is not full.

import { HASH_BYTES, nodeHash } from "./hashes.ts";
import type { SubtreeHash } from "./tree.ts";

export const TILE_WIDTH = 256;
const TILE_HEIGHT = 8;

/** A tile of hashes by its level, or a bundle of entries. */
export type Level = number | "entries";

/** One piece of a log of some size. */
export interface Tile {
  readonly level: number;
  /** Which of its level, from 0. */
  readonly n: number;
  /** How many hashes are in it. */
  readonly width: number;
}

/** The name of a piece: `tile/0/x001/234`, and `.p/17` behind one that is not full. */
export function tilePath(level: Level, n: number, width = TILE_WIDTH): string {
  const partial = width === TILE_WIDTH ? "" : `.p/${width}`;
  return `tile/${level}/${numberPath(n)}${partial}`;
}

/** A number as a path that no folder of which gets more than a thousand names: `x001/234`. */
export function numberPath(n: number): string {
  const last = String(n % 1000).padStart(3, "0");
  let path = last;
  for (let rest = Math.floor(n / 1000); rest > 0; rest = Math.floor(rest / 1000))
    path = `x${String(rest % 1000).padStart(3, "0")}/${path}`;
  return path;
}

/** How many hashes a level has in a log of a size. */
export const widthOf = (level: number, size: number): number => Math.floor(size / TILE_WIDTH ** level);

/** The tiles of a log, level by level; of `from` on those that a smaller log did not have so. */
export function* tilesOf(size: number, from = 0): Generator<Tile> {
  for (let level = 0; widthOf(level, size) > 0; level += 1) {
    const count = widthOf(level, size);
    if (from > 0 && count === widthOf(level, from)) return;
    for (let n = Math.floor(widthOf(level, from) / TILE_WIDTH); n * TILE_WIDTH < count; n += 1)
      yield { level, n, width: Math.min(TILE_WIDTH, count - n * TILE_WIDTH) };
  }
}

/** The hash at a place of a tile. @throws RangeError where it is too short. */
function hashIn(tile: Uint8Array, place: number): Buffer {
  const begin = place * HASH_BYTES;
  if (begin + HASH_BYTES > tile.length) throw new RangeError("A tile is too short.");
  return Buffer.from(tile.buffer, tile.byteOffset + begin, HASH_BYTES);
}

/** The root of some hashes of a tile, as many as a power of two. */
export function rootIn(tile: Uint8Array, first = 0, width = TILE_WIDTH): Buffer {
  if (width === 1) return hashIn(tile, first);
  const half = width / 2;
  return nodeHash(rootIn(tile, first, half), rootIn(tile, first + half, half));
}

/** The hashes of subtrees, out of tiles. @param tile at least as wide as the log's size asks for. */
export function subtreesOf(tile: (level: number, n: number) => Uint8Array): SubtreeHash {
  return (height, index) => {
    const level = Math.floor(height / TILE_HEIGHT);
    const width = 2 ** (height % TILE_HEIGHT);
    const first = index * width;
    return rootIn(tile(level, Math.floor(first / TILE_WIDTH)), first % TILE_WIDTH, width);
  };
}
