// Hashes
// The hashes of a Merkle tree (RFC 6962), of leaves and of pairs.
//
//   Owns:          the byte that is put before the bytes to hash.
//   Does not own:  the shape of the tree (tree.ts), where hashes are stored (tiles.ts).
//
// TLOG-HASHES-1. A leaf never has the hash of a pair of hashes, because their first bytes differ.

import { hash } from "node:crypto";

export const HASH_BYTES = 32;

export const EMPTY_ROOT: Buffer = hash("sha256", "", "buffer");

const LEAF = Buffer.of(0);
const NODE = Buffer.of(1);

export const leafHash = (entry: Uint8Array): Buffer => hash("sha256", Buffer.concat([LEAF, entry]), "buffer");

export const nodeHash = (left: Uint8Array, right: Uint8Array): Buffer =>
  hash("sha256", Buffer.concat([NODE, left, right]), "buffer");
