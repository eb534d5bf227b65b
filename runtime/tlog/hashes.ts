// Hashes
// The hashes of a Merkle tree, as RFC 6962 makes them of leaves and of pairs.
//
//   Owns:          which byte comes before the hashed bytes.
//   Does not own:  the shape of the tree (tree.ts), where hashes are kept (tiles.ts).
//
// TLOG-HASHES-1. A leaf never hashes as a pair of hashes does: the first byte tells them apart.

import { hash } from "node:crypto";

export const HASH_BYTES = 32;

/** Of a tree without leaves. */
export const EMPTY_ROOT: Buffer = hash("sha256", "", "buffer");

const LEAF = Buffer.of(0);
const NODE = Buffer.of(1);

/** @param entry the bytes of the entry in the log. */
export const leafHash = (entry: Uint8Array): Buffer => hash("sha256", Buffer.concat([LEAF, entry]), "buffer");

export const nodeHash = (left: Uint8Array, right: Uint8Array): Buffer =>
  hash("sha256", Buffer.concat([NODE, left, right]), "buffer");
