// Tree
// Computes the root hash of a log of any size, and proves that a leaf, or a smaller log, is contained in the log.
//
//   Owns:          the shape of the tree (RFC 6962, section 2.1), making and checking proofs.
//   Does not own:  computing the hashes of whole subtrees (tiles.ts), signing a root (checkpoint.ts).
//
// TLOG-TREE-1. A proof leads to the root hash of the tree from which it was made, and to no other root hash.
// TLOG-TREE-2. A proof whose length does not fit the index and the size leads to no root hash, and so proves nothing.

import { EMPTY_ROOT, nodeHash } from "./hashes.ts";

/**
 * Returns the hash of a complete subtree of 2^height leaves.
 * @param index the number of the subtree among those of the same height, from 0.
 */
export type SubtreeHash = (height: number, index: number) => Buffer;

export interface Roots {
  readonly old: Buffer;
  readonly now: Buffer;
}

/** The greatest power of two below `n`. @param n at least 2. */
const split = (n: number): number => 2 ** Math.ceil(Math.log2(n) - 1);

/** The root of the first `size` leaves. */
export const rootOf = (size: number, at: SubtreeHash): Buffer =>
  size === 0 ? EMPTY_ROOT : over(0, size, at);

function over(begin: number, end: number, at: SubtreeHash): Buffer {
  const size = end - begin;
  const height = Math.log2(size);
  // A subtree whose number of leaves is a power of two always begins at a leaf whose index is a multiple of that number.
  if (Number.isInteger(height)) return at(height, begin / size);
  const middle = begin + split(size);
  return nodeHash(over(begin, middle, at), over(middle, end, at));
}

/**
 * The hashes that prove that a leaf is in the tree: first the leaf's sibling, last the child of the root.
 * @param index the leaf's number, below `size`.
 */
export function inclusionProof(index: number, size: number, at: SubtreeHash): readonly Buffer[] {
  const path = (begin: number, end: number): readonly Buffer[] => {
    if (end - begin === 1) return [];
    const middle = begin + split(end - begin);
    return index < middle
      ? [...path(begin, middle), over(middle, end, at)]
      : [...path(middle, end), over(begin, middle, at)];
  };
  return path(0, size);
}

/** Proves that the tree of `size` leaves begins with the smaller tree of `old` leaves. @param old at most `size`. */
export function consistencyProof(old: number, size: number, at: SubtreeHash): readonly Buffer[] {
  const path = (begin: number, end: number, isOld: boolean): readonly Buffer[] => {
    if (old === end) return isOld ? [] : [over(begin, end, at)];
    const middle = begin + split(end - begin);
    return old <= middle
      ? [...path(begin, middle, isOld), over(middle, end, at)]
      : [...path(middle, end, false), over(begin, middle, at)];
  };
  return old === 0 ? [] : path(0, size, true);
}

/** The root that an inclusion proof yields; undefined if the proof yields none (TLOG-TREE-2). */
export function rootByInclusion(
  leaf: Buffer,
  {
    index,
    size,
    proof,
  }: { readonly index: number; readonly size: number; readonly proof: readonly Buffer[] },
): Buffer | undefined {
  if (index >= size) return undefined;
  const walk = (begin: number, end: number, left: number): Buffer | undefined => {
    if (end - begin === 1) return left === 0 ? leaf : undefined;
    const middle = begin + split(end - begin);
    const sibling = proof[left - 1];
    const isLeft = index < middle;
    const below = sibling && (isLeft ? walk(begin, middle, left - 1) : walk(middle, end, left - 1));
    return below && (isLeft ? nodeHash(below, sibling) : nodeHash(sibling, below));
  };
  return walk(0, size, proof.length);
}

/** The two roots that a consistency proof yields; undefined if the proof yields none (TLOG-TREE-2). */
export function rootsByConsistency(
  old: { readonly size: number; readonly root: Buffer },
  size: number,
  proof: readonly Buffer[],
): Roots | undefined {
  if (old.size > size || old.size === 0) return undefined;
  const walk = (begin: number, end: number, isOld: boolean, left: number): Roots | undefined => {
    const last = proof[left - 1];
    if (old.size === end) {
      const hash = isOld ? old.root : last;
      return hash && left === (isOld ? 0 : 1) ? { old: hash, now: hash } : undefined;
    }
    const middle = begin + split(end - begin);
    if (old.size <= middle) {
      const below = last && walk(begin, middle, isOld, left - 1);
      return below && { old: below.old, now: nodeHash(below.now, last) };
    }
    const below = last && walk(middle, end, false, left - 1);
    return below && { old: nodeHash(last, below.old), now: nodeHash(last, below.now) };
  };
  return walk(0, size, true, proof.length);
}
