// Noting
// Writes notes about what the client does into the spool, in the right order, without making the program wait.
//
//   Owns:          the order of the notes' files, how many files there may be.
//   Does not own:  the form of a file (left-behind), the content of a note (the client's adapter).
//
// NOTING-1. Files are written in the order in which the notes were made. Only the function `written` waits for the files.
// NOTING-2. A note is dropped if the spool is full, if too many notes wait in memory, or if no engine has ever run on the data
//     folder.

import { readdir } from "node:fs/promises";
import { type Answered, leaveBehind, leaveObserved, type Observed } from "./left-behind.ts";
import type { Where } from "./line.ts";
import { FILES_MAX } from "./telling.ts";

const WAITING_MAX = 1_000;
/**
 * After this many notes, the files in the spool are counted again: other processes write into it, too, and may have filled it.
 */
const COUNT_EVERY = 32;

export class Noting {
  readonly #spool: string;
  readonly #where: Where;
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;
  #count = 0;
  #isFull = false;

  constructor(spool: string, where: Where) {
    this.#spool = spool;
    this.#where = where;
  }

  saw(observed: Observed): void {
    this.#next((name) => leaveObserved(this.#spool, name, observed));
  }

  answered(answered: Answered): void {
    this.#next((name) => leaveBehind(this.#spool, name, answered));
  }

  /** @returns once all earlier notes are written or dropped. */
  written(): Promise<void> {
    return this.#last;
  }

  #next(leave: (name: string) => Promise<void>): void {
    if (this.#waiting >= WAITING_MAX) return;
    this.#waiting += 1;
    this.#last = this.#last
      .then(() => this.#leave(leave))
      .catch(() => undefined)
      .finally(() => {
        this.#waiting -= 1;
      });
  }

  async #leave(leave: (name: string) => Promise<void>): Promise<void> {
    const n = this.#count++;
    if (n % COUNT_EVERY === 0) {
      const isNew = (await this.#where()) === undefined;
      this.#isFull = isNew || (await readdir(this.#spool).catch(() => [])).length >= FILES_MAX;
    }
    if (!this.#isFull) await leave(`${Math.floor(Date.now() / 1_000)}-${process.pid}-${n}`);
  }
}
