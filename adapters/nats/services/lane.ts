// Lane
// Work that came over the wire, a bounded amount of it at a time.
//
//   Owns:          how much is done at once, how much may wait, giving way to the engine between two pieces.
//   Does not own:  the work, what is said to one who finds the lane full.
//
// L1. However much is asked, the engine's loop has its turn after each piece of work.

import { setImmediate as nextTick } from "node:timers/promises";
import { RetryableError } from "../../../runtime/errors.ts";

export interface LaneSize {
  readonly atOnce: number;
  readonly waiting: number;
}

export class Lane {
  readonly #size: LaneSize;
  readonly #onError: (error: unknown) => void;
  #waiting: (() => Promise<void>)[] = [];
  readonly #workers = new Set<Promise<void>>();

  /** @param onError told of what a piece of work threw. */
  constructor(size: LaneSize, onError: (error: unknown) => void) {
    this.#size = size;
    this.#onError = onError;
  }

  /** Does the work now or later. @returns false, having done nothing, when too much waits. */
  take(work: () => Promise<void>): boolean {
    if (this.#waiting.length >= this.#size.waiting) return false;
    this.#waiting.push(work);
    if (this.#workers.size < this.#size.atOnce) {
      const worker: Promise<void> = this.#run().finally(() => this.#workers.delete(worker));
      this.#workers.add(worker);
    }
    return true;
  }

  /** Resolves once all that was taken is done. */
  async idle(): Promise<void> {
    while (this.#workers.size > 0) await Promise.all(this.#workers);
  }

  async #run(): Promise<void> {
    for (let work = this.#waiting.shift(); work; work = this.#waiting.shift()) {
      try {
        await work();
      } catch (error) {
        this.#onError(error);
      }
      await nextTick();
    }
  }
}

export const laneFull = (): RetryableError =>
  new RetryableError(
    "OVERLOADED",
    "Too much is being asked at once.",
    "Ask again after the given time.",
    1000,
  );
