// LMDB store
// The engine's rows on disk.
//
//   Owns:          answering each read from the tail (tail.ts) or, if the row is not there, from the table; when a commit
//                  counts as done.
//   Does not own:  how commits become durable (redo-log.ts), transactions, the epoch, failure (environment.ts); what rows mean.

import type { Clock, Range, Store, Write } from "../../runtime/ports.ts";
import { checkWrites } from "../../runtime/writes.ts";
import { closed, type Environment } from "./environment.ts";
import { RedoLog } from "./redo-log.ts";
import { unsummed } from "./row-sum.ts";

export class LmdbStore implements Store {
  readonly #environment: Environment;
  readonly #clock: Clock;
  #log: RedoLog | undefined;

  constructor(environment: Environment, clock: Clock) {
    this.#environment = environment;
    this.#clock = clock;
  }

  async open(): Promise<number> {
    const epoch = await this.#environment.takeOver();
    this.#log = new RedoLog(this.#environment, this.#clock);
    return epoch;
  }

  get(key: string): string | undefined {
    const { rows, tail } = this.#opened();
    const late = tail.get(key);
    if (late !== undefined) return late ?? undefined;
    const stored = rows.get(key);
    return stored === undefined ? undefined : unsummed(key, stored);
  }

  /** Yields the rows as they were when the reading began. Read to the end or leave the loop: lmdb keeps old pages until then. */
  *range(range: Range): Iterable<readonly [key: string, value: string]> {
    const { rows, tail } = this.#opened();
    if (range.gte >= range.lt || range.limit === 0) return;
    yield* tail.over(rows, range);
  }

  async commit(writes: readonly Write[]): Promise<void> {
    const { log } = this.#opened();
    checkWrites(writes);
    await log.commit(writes);
  }

  async close(): Promise<void> {
    const log = this.#log;
    this.#log = undefined;
    await log?.end();
    await this.#environment.close();
  }

  /** @throws FatalError STORE_CLOSED, or the error with which the environment failed */
  #opened() {
    const { rows } = this.#environment.tables;
    const log = this.#log;
    if (!log) throw closed(this.#environment.dir);
    return { rows, log, tail: log.tail };
  }
}
