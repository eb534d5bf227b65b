// Tail
// The tail: durable rows that are not in their places yet. A read looks in the tail first, and then in the table.
//
//   Owns:          the newest text of each such row, or that it was removed; merging the tail with the table's rows.
//   Does not own:  when rows are added and dropped (redo-log.ts).
//
// TAIL-1. A row of the tail hides the table's row of that key, and so does a removal.
// TAIL-2. A range shows tail and table as both were when its reading began.
// TAIL-3. A row leaves the tail only if the same text is in its place: a row that was written again meanwhile stays.

import type { Database, Transaction } from "lmdb";
import type { Range, Write } from "../../runtime/ports.ts";
import { SortedRows } from "../../runtime/sorted-rows.ts";
import { unsummed } from "./row-sum.ts";

/** A row's text; null for a removed row. */
export type Late = string | null;

const ALL = { gte: "", lt: "\x7f" } as const;

export class Tail {
  readonly #rows = new SortedRows<Late>();
  #characters = 0;
  #removals = 0;

  /** How many rows, including removed ones. */
  get size(): number {
    return this.#rows.size;
  }

  /** How many removed rows: a range skips each, and the table's row below it. */
  get removals(): number {
    return this.#removals;
  }

  /** The length of their keys and texts. */
  get characters(): number {
    return this.#characters;
  }

  /** @returns undefined if the table has the row's newest state. */
  get(key: string): Late | undefined {
    return this.#rows.get(key);
  }

  /** Adds the rows of a durable commit. */
  add(writes: readonly Write[]): void {
    for (const write of writes) {
      if ("put" in write) this.#set(write.put, write.value);
      else this.#set(write.del, null);
    }
  }

  /** All rows, in key order, as they are now. */
  all(): Iterable<readonly [key: string, late: Late]> {
    return this.#rows.range(ALL);
  }

  /** Drops a row from the tail, unless it was written again (TAIL-3). @param late the text that is in the row's place now. */
  settle(key: string, late: Late): void {
    if (this.#rows.get(key) !== late) return;
    this.#rows.delete(key);
    this.#characters -= lengthOf(key, late);
    if (late === null) this.#removals -= 1;
  }

  /** The table's rows merged with the tail's. @param transaction reads the table as it was then. */
  *over(
    table: Database<string, string>,
    { gte, lt, limit = Infinity, reverse = false }: Range,
    transaction?: Transaction,
  ): Generator<readonly [key: string, value: string]> {
    const bounds = reverse
      ? { start: lt, exclusiveStart: true, end: gte, inclusiveEnd: true, reverse: true }
      : { start: gte, end: lt };
    const late = this.#rows.range({ gte, lt, reverse });
    let above = late.next();
    const limited = above.done && limit !== Infinity ? { ...bounds, limit } : bounds;
    const placed = table.getRange(transaction ? { ...limited, transaction } : limited)[Symbol.iterator]();
    try {
      // TAIL-2: both readings begin in one step, so they see the same rows.
      let below = placed.next();
      for (let left = limit; left > 0;) {
        const order = orderOf(below, above, reverse);
        if (order === 0) return;
        if (order < 0) {
          const { key, value } = below.value as { key: string; value: string };
          left -= 1;
          yield [key, unsummed(key, value)];
          below = placed.next();
          continue;
        }
        const [key, text] = above.value as readonly [string, Late];
        if (!below.done && below.value.key === key) below = placed.next();
        above = late.next();
        if (text === null) continue;
        left -= 1;
        yield [key, text];
      }
    } finally {
      placed.return?.();
    }
  }

  #set(key: string, late: Late): void {
    const before = this.#rows.get(key);
    if (before !== undefined) this.#characters -= lengthOf(key, before);
    this.#removals += Number(late === null) - Number(before === null);
    this.#rows.set(key, late);
    this.#characters += lengthOf(key, late);
  }
}

const lengthOf = (key: string, late: Late): number => key.length + (late?.length ?? 0);

type Placed = IteratorResult<{ readonly key: string }, unknown>;
type Above = IteratorResult<readonly [string, Late], unknown>;

/** Negative if the table's row comes first, positive if the tail's does or both have one key; 0 if there is none. */
function orderOf(below: Placed, above: Above, reverse: boolean): number {
  if (below.done) return above.done ? 0 : 1;
  if (above.done) return -1;
  const [key] = above.value;
  if (below.value.key === key) return 1;
  return below.value.key < key === reverse ? 1 : -1;
}
