// Tail
// Durable rows that have not been written to their table yet. A read looks in the tail first, and then in the table.
//
//   Owns:          the newest text of each row in the tail, or that the row was removed; merging the tail with the table.
//   Does not own:  when rows are added and dropped (redo-log.ts).
//
// TAIL-1. A row or a removal in the tail hides the table's row with the same key.
// TAIL-2. Whoever reads a range of rows sees tail and table as both were when the reading began.
// TAIL-3. A row leaves the tail only once the table has the same text: a row that was written again meanwhile stays.

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

  get size(): number {
    return this.#rows.size;
  }

  /** How many rows of the tail are removed rows: a range must skip each of them, and the table's row with the same key. */
  get removals(): number {
    return this.#removals;
  }

  /** The length of all keys and texts in the tail, in characters. */
  get characters(): number {
    return this.#characters;
  }

  /** @returns the row as the tail has it; undefined if the table has the newest state of the row. */
  get(key: string): Late | undefined {
    return this.#rows.get(key);
  }

  add(writes: readonly Write[]): void {
    for (const write of writes) {
      if ("put" in write) this.#set(write.put, write.value);
      else this.#set(write.del, null);
    }
  }

  all(): Iterable<readonly [key: string, late: Late]> {
    return this.#rows.range(ALL);
  }

  /**
   * Drops a row that is now in the table, unless it was written again meanwhile (TAIL-3).
   * @param late the text that the table got.
   */
  settle(key: string, late: Late): void {
    if (this.#rows.get(key) !== late) return;
    this.#rows.delete(key);
    this.#characters -= lengthOf(key, late);
    if (late === null) this.#removals -= 1;
  }

  /**
   * The table's rows merged with the tail's.
   * @param transaction the state of the table that is read; by default its present state.
   */
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
      // TAIL-2: the reading of the table (`placed`) and of the tail begin in one step, so no row moves between them.
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

/** Negative if the table's row comes first; positive if the tail's does, or both have the same key; 0 if neither has a row. */
function orderOf(below: Placed, above: Above, reverse: boolean): number {
  if (below.done) return above.done ? 0 : 1;
  if (above.done) return -1;
  const [key] = above.value;
  if (below.value.key === key) return 1;
  return below.value.key < key === reverse ? 1 : -1;
}
