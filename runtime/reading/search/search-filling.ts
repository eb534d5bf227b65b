// Search filling
// Fills a search index from the store. A search that comes meanwhile waits only a short time for the filling.
//
//   Owns:          how many rows are read in one step, how long a search waits for the filling, when the filling ends.
//   Does not own:  which rows are read (search-rows), what is found in the index (search-index).
//   Decided in:    docs/decisions/0045-search-in-memory.md.
//
// SEARCH-FILLING-1. A search waits at most `waitMs` (50 ms) for the index to be filled. Then the search goes on with what the
//     index has, and the filling continues to the end.
// SEARCH-FILLING-2. The filling ends when the engine stops, or when the index is dropped.

import { setImmediate as nextTick, setTimeout as sleep } from "node:timers/promises";
import { parseAddress } from "../../../machines/index.ts";
import { type Indexed, type IndexLimits, SearchIndex } from "./search-index.ts";

export interface FillingLimits extends IndexLimits {
  /** How many rows of the store the filling reads before other work runs. */
  readonly rows: number;
  /** How long one search waits for rows to be read, ms. */
  readonly waitMs: number;
}

/** How long the filling pauses after each slice of rows while no search waits, ms: about as long as a slice takes. */
const PAUSE_MS = 2;

export class Filling {
  readonly index: SearchIndex;
  /** True once all rows were read, or as many as the index can hold. */
  isRead = false;
  /**
   * For an index that was full before all rows were read: when the session, request or call that was read last began, ms; for
   * any other index 0.
   */
  readTo = 0;
  readonly #limits: FillingLimits;
  readonly #rows: Iterator<Indexed | undefined, undefined>;
  readonly #isWanted: (filling: Filling) => boolean;
  #reading: Promise<void> | undefined;
  #waiting = 0;

  /** @param isWanted returns false once the engine stops or the index is dropped (SEARCH-FILLING-2); the filling then ends. */
  constructor(
    limits: FillingLimits,
    rows: Iterator<Indexed | undefined, undefined>,
    isWanted: (filling: Filling) => boolean,
  ) {
    this.index = new SearchIndex(limits);
    this.#limits = limits;
    this.#rows = rows;
    this.#isWanted = isWanted;
  }

  /** Waits a short time for the index to be filled (SEARCH-FILLING-1). @throws what reading the store throws. */
  async readOn(): Promise<void> {
    if (this.isRead) return;
    this.#waiting += 1;
    const late = sleep(this.#limits.waitMs, undefined, { ref: false });
    await Promise.race([(this.#reading ??= this.#begin()), late]).finally(() => {
      this.#waiting -= 1;
    });
  }

  #begin(): Promise<void> {
    const reading = this.#readAll().finally(() => {
      this.#reading = undefined;
    });
    // If reading fails, the searches that wait get the error; if none waits, it is dropped. The next search reads on.
    reading.catch(() => undefined);
    return reading;
  }

  async #readAll(): Promise<void> {
    while (!this.isRead && this.#isWanted(this)) {
      let read = 1;
      while (this.#readNext() && read < this.#limits.rows) read += 1;
      await (this.#waiting > 0 ? nextTick() : sleep(PAUSE_MS, undefined, { ref: false }));
    }
  }

  /** @returns false once nothing is left to read. */
  #readNext(): boolean {
    const next = this.#rows.next();
    const thing = next.value;
    if (thing) {
      const { workspace } = parseAddress(thing.address);
      // If the index already has the actor, a change brought it, and is newer than the row.
      if (!this.index.has(workspace, thing.address)) this.index.put(workspace, thing);
      if (this.index.isFull) this.readTo = thing.at;
    }
    this.isRead = next.done === true || this.index.isFull;
    return !this.isRead;
  }
}
