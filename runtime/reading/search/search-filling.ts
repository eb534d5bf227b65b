// Search filling
// Fills a search index from the store, while searches wait for a part of it at most.
//
//   Owns:          how much is read at once, how long a search waits for it, when the reading ends.
//   Does not own:  which rows are read (search-rows), what is found in the index (search-index).
//   Decided in:    docs/decisions/0045-search-in-memory.md.
//
// SEARCH-FILLING-1. A search waits only a short time for the index to be filled. The filling goes on without it, to the end.
// SEARCH-FILLING-2. Nothing is read once the engine stops, or once the index is dropped.

import { setImmediate as nextTick, setTimeout as sleep } from "node:timers/promises";
import { parseAddress } from "../../../machines/index.ts";
import { type Indexed, type IndexLimits, SearchIndex } from "./search-index.ts";

export interface FillingLimits extends IndexLimits {
  /** How many rows of the store are read before other work runs. */
  readonly rows: number;
  /** How long one search waits for rows to be read, ms. */
  readonly waitMs: number;
}

/** While no search waits, other work gets this long after each slice: about as long as the slice takes, ms. */
const PAUSE_MS = 2;

export class Filling {
  readonly index: SearchIndex;
  /** True once everything was read, or as much as the index holds. */
  isRead = false;
  /** How far back a full index reaches: when its oldest session began, ms; 0 for an index that is not full. */
  readTo = 0;
  readonly #limits: FillingLimits;
  readonly #rows: Iterator<Indexed | undefined, undefined>;
  readonly #isWanted: (filling: Filling) => boolean;
  #reading: Promise<void> | undefined;
  #waiting = 0;

  /** @param isWanted false once nothing may be read any more. */
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
    // If reading fails, the searches that wait get the error. If none waits, the next search reads on and gets it.
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
      // A change that arrived while the row was read is newer than the row.
      if (!this.index.has(workspace, thing.address)) this.index.put(workspace, thing);
      if (this.index.isFull) this.readTo = thing.at;
    }
    this.isRead = next.done === true || this.index.isFull;
    return !this.isRead;
  }
}
