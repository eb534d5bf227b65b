// Lane
// Does the work for incoming requests, a limited amount at a time.
//
//   Owns:          how much work is done at once, how much may wait, giving way to the engine after each piece.
//   Does not own:  the work that is done, what a caller gets if too much work waits.
//
// LANE-1. However many requests come, the engine's event loop runs after each piece of work.
// LANE-2. Only a limited number of one workspace's requests may wait, fewer than may wait in all, so that requests of other
//     workspaces can wait, too.

import { setImmediate as nextTick } from "node:timers/promises";
import { RetryableError } from "../../../runtime/errors/errors.ts";

export interface LaneSize {
  readonly atOnce: number;
  readonly waiting: number;
  /** How many pieces of work of one workspace may wait. */
  readonly ofOne: number;
}

interface Waiting {
  readonly work: () => Promise<void>;
  readonly of: string | undefined;
}

export class Lane {
  readonly #size: LaneSize;
  readonly #onError: (error: unknown) => void;
  readonly #waiting: Waiting[] = [];
  readonly #waitingOf = new Map<string, number>();
  readonly #workers = new Set<Promise<void>>();

  constructor(size: LaneSize, onError: (error: unknown) => void) {
    this.#size = size;
    this.#onError = onError;
  }

  /** Runs the work now or later. @param of the work's workspace. @returns false if too much work waits: this work is not run. */
  take(work: () => Promise<void>, of?: string): boolean {
    const own = of === undefined ? 0 : (this.#waitingOf.get(of) ?? 0);
    if (this.#waiting.length >= this.#size.waiting || own >= this.#size.ofOne) return false;
    if (of !== undefined) this.#waitingOf.set(of, own + 1);
    this.#waiting.push({ work, of });
    if (this.#workers.size < this.#size.atOnce) {
      const worker: Promise<void> = this.#run().finally(() => this.#workers.delete(worker));
      this.#workers.add(worker);
    }
    return true;
  }

  async idle(): Promise<void> {
    while (this.#workers.size > 0) await Promise.all(this.#workers);
  }

  async #run(): Promise<void> {
    for (let next = this.#next(); next; next = this.#next()) {
      try {
        await next();
      } catch (error) {
        this.#onError(error);
      }
      await nextTick();
    }
  }

  #next(): Waiting["work"] | undefined {
    const next = this.#waiting.shift();
    if (next?.of !== undefined) {
      const left = (this.#waitingOf.get(next.of) ?? 1) - 1;
      if (left > 0) this.#waitingOf.set(next.of, left);
      else this.#waitingOf.delete(next.of);
    }
    return next?.work;
  }
}

export const laneFull = (): RetryableError =>
  new RetryableError(
    "OVERLOADED",
    "Too many queries are being answered at once.",
    "Ask again after the given time.",
    1000,
  );
