// Tiles
// The hashes of a log in tiles of 256, and where each tile is stored.
//
//   Owns:          the names of tiles and bundles (C2SP tlog-tiles), which tiles and bundles a log of a given size has, computing
//                  a subtree's hash.
//   Does not own:  the content of an entry, reading and writing files (adapters/audit-log).
//
// TLOG-TILES-1. A tile of level 0 contains the hashes of entries. A tile of a higher level contains the root hashes of full tiles
//     of the level below, and nothing of a partial tile.

import { HASH_BYTES, nodeHash } from "./hashes.ts";
import type { SubtreeHash } from "./tree.ts";

export const TILE_WIDTH = 256;
const TILE_HEIGHT = 8;

/** The level of a tile of hashes, or `entries` for a bundle of entries. */
export type Level = number | "entries";

export interface Tile {
  readonly level: number;
  /** The tile's number within its level, from 0. */
  readonly n: number;
  /** How many hashes the tile has. */
  readonly width: number;
}

/** The name of a tile or bundle, such as `tile/0/x001/234`; with `.p/17` at its end for a partial one of 17 hashes. */
export function tilePath(level: Level, n: number, width = TILE_WIDTH): string {
  const partial = width === TILE_WIDTH ? "" : `.p/${width}`;
  return `tile/${level}/${numberPath(n)}${partial}`;
}

/** A number as a path, such as `x001/234`. The number is divided so that no folder has more than a thousand names. */
export function numberPath(n: number): string {
  const last = String(n % 1000).padStart(3, "0");
  let path = last;
  for (let rest = Math.floor(n / 1000); rest > 0; rest = Math.floor(rest / 1000))
    path = `x${String(rest % 1000).padStart(3, "0")}/${path}`;
  return path;
}

/** How many hashes a level has in a log of `size` entries. */
export const widthOf = (level: number, size: number): number => Math.floor(size / TILE_WIDTH ** level);

/** The tiles of a log, level by level, except those that a log of `from` entries already had. */
export function* tilesOf(size: number, from = 0): Generator<Tile> {
  for (let level = 0; widthOf(level, size) > 0; level += 1) {
    const count = widthOf(level, size);
    if (from > 0 && count === widthOf(level, from)) return;
    for (let n = Math.floor(widthOf(level, from) / TILE_WIDTH); n * TILE_WIDTH < count; n += 1)
      yield { level, n, width: Math.min(TILE_WIDTH, count - n * TILE_WIDTH) };
  }
}

/** The hash at an index of a tile. @throws RangeError if the tile is too short. */
function hashIn(tile: Uint8Array, place: number): Buffer {
  const begin = place * HASH_BYTES;
  if (begin + HASH_BYTES > tile.length) throw new RangeError("A tile of the log is too short.");
  return Buffer.from(tile.buffer, tile.byteOffset + begin, HASH_BYTES);
}

/** The root of `width` consecutive hashes of a tile, from `first` on; `width` is a power of two. */
export function rootIn(tile: Uint8Array, first = 0, width = TILE_WIDTH): Buffer {
  if (width === 1) return hashIn(tile, first);
  const half = width / 2;
  return nodeHash(rootIn(tile, first, half), rootIn(tile, first + half, half));
}

/** Computes the hashes of subtrees from tiles. @param tile returns a tile, at least as wide as the log's size requires. */
export function subtreesOf(tile: (level: number, n: number) => Uint8Array): SubtreeHash {
  return (height, index) => {
    const level = Math.floor(height / TILE_HEIGHT);
    const width = 2 ** (height % TILE_HEIGHT);
    const first = index * width;
    return rootIn(tile(level, Math.floor(first / TILE_WIDTH)), first % TILE_WIDTH, width);
  };
}
