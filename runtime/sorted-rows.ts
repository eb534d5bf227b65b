// Sorted rows
// An ordered map by key in memory: constant-time reads, ranges in key order without sorting, even with 100,000 rows.
//
//   Owns:          the order of the rows, and that a range that is being read does not change.
//   Does not own:  writing rows to disk, epochs, the limits of keys.
//
// SORTED-ROWS-1. A reader of a range gets the rows as they were when the reading began.
//
// Rows are stored in arrays of at most LEAF_ROWS rows, called leaves. A returned range goes on reading its leaves, so the next
// write to such a leaf first copies it. To recognise such a leaf, each leaf names the version of the map that made it, and
// each range begins a new version.

import type { Range } from "./ports.ts";

const LEAF_ROWS = 256;

interface Leaf<V> {
  readonly version: object;
  readonly keys: string[];
  readonly values: V[];
}

export class SortedRows<V = string> {
  readonly #byKey = new Map<string, V>();
  #leaves: Leaf<V>[] = [];
  #leavesVersion: object = {};
  #version: object = this.#leavesVersion;

  get size(): number {
    return this.#byKey.size;
  }

  get(key: string): V | undefined {
    return this.#byKey.get(key);
  }

  set(key: string, value: V): void {
    const known = this.#byKey.has(key);
    this.#byKey.set(key, value);
    const at = Math.max(0, this.#leafOf(key));
    const leaf = this.#own(at);
    const index = firstNotBelow(leaf.keys, key);
    if (known) {
      leaf.values[index] = value;
      return;
    }
    leaf.keys.splice(index, 0, key);
    leaf.values.splice(index, 0, value);
    if (leaf.keys.length > LEAF_ROWS) {
      const half = LEAF_ROWS / 2;
      const upper: Leaf<V> = {
        version: this.#version,
        keys: leaf.keys.splice(half),
        values: leaf.values.splice(half),
      };
      this.#leaves.splice(at + 1, 0, upper);
    }
  }

  delete(key: string): void {
    if (!this.#byKey.delete(key)) return;
    const at = this.#leafOf(key);
    const leaf = this.#own(at);
    const index = firstNotBelow(leaf.keys, key);
    leaf.keys.splice(index, 1);
    leaf.values.splice(index, 1);
    if (leaf.keys.length === 0) this.#leaves.splice(at, 1);
  }

  *range({ gte, lt, limit = Infinity, reverse = false }: Range): Generator<readonly [string, V]> {
    const leaves = this.#leaves;
    this.#version = {};
    let left = limit;
    let at = reverse ? lastLeafFrom(leaves, lt) : Math.max(0, lastLeafFrom(leaves, gte));
    for (; left > 0; at += reverse ? -1 : 1) {
      const leaf = leaves[at];
      if (leaf === undefined) return;
      const { keys, values } = leaf;
      const from = firstNotBelow(keys, gte);
      const to = firstNotBelow(keys, lt);
      for (let i = 0; i < to - from && left > 0; i++, left--) {
        const index = reverse ? to - 1 - i : from + i;
        yield [keys[index] ?? "", values[index] as V];
      }
      if (reverse ? from > 0 : to < keys.length) return;
    }
  }

  #leafOf(key: string): number {
    return lastLeafFrom(this.#leaves, key);
  }

  /** The leaf at index `at`, ready to be changed: it is copied if a range that was returned still uses it. */
  #own(at: number): Leaf<V> {
    if (this.#leavesVersion !== this.#version) {
      this.#leaves = this.#leaves.slice();
      this.#leavesVersion = this.#version;
    }
    const found = this.#leaves[at];
    if (found?.version === this.#version) return found;
    const leaf: Leaf<V> = {
      version: this.#version,
      keys: found?.keys.slice() ?? [],
      values: found?.values.slice() ?? [],
    };
    this.#leaves[at] = leaf;
    return leaf;
  }
}

function firstNotBelow(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] ?? "") < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The index of the last leaf that begins at or below `key`; -1 if all leaves begin above `key`. */
function lastLeafFrom(leaves: readonly Leaf<unknown>[], key: string): number {
  let low = 0;
  let high = leaves.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((leaves[middle]?.keys[0] ?? "") <= key) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
