// Hashes
// Computes the hashes of leaves, and of pairs of hashes, in a Merkle tree (RFC 6962).
//
//   Owns:          the byte that is put before the hashed bytes: one byte for leaves, another for pairs.
//   Does not own:  the shape of the tree (tree.ts), where hashes are stored (tiles.ts).
//
// TLOG-HASHES-1. A leaf never has the same hash as a pair of hashes, because the first hashed byte differs.

import { hash } from "node:crypto";

export const HASH_BYTES = 32;

export const EMPTY_ROOT: Buffer = hash("sha256", "", "buffer");

const LEAF = Buffer.of(0);
const NODE = Buffer.of(1);

export const leafHash = (entry: Uint8Array): Buffer => hash("sha256", Buffer.concat([LEAF, entry]), "buffer");

export const nodeHash = (left: Uint8Array, right: Uint8Array): Buffer =>
  hash("sha256", Buffer.concat([NODE, left, right]), "buffer");
