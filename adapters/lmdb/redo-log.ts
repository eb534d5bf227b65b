// Redo log
// Makes a commit durable as one row of the redo log, and writes the commit's rows to their places later, many commits at once.
//
//   Owns:          the numbers of redo rows; which redo rows are not folded yet; when a checkpoint is due, and running it.
//   Does not own:  reading (tail.ts), the form of a redo row (redo-row.ts), the log of a former owner (fold.ts).
//   Decided in:    docs/decisions/0068-a-redo-log-of-rows.md.
//
// REDO-LOG-1. The first commit after an opening is written directly to its places, while the log is empty. So the row with the
//     store's format is in its place before there is any redo, and an older version reads there that it cannot use the store.
// REDO-LOG-2. A row enters the tail once its commit is durable, in the order of the commits. No reader sees it before.
// REDO-LOG-3. A checkpoint writes the tail's rows as they were at the checkpoint's beginning, in key order and in slices. Only
//     then it removes the redo rows and moves `folded`. If it is interrupted, the next start folds from the old `folded`, with
//     the same result.
// REDO-LOG-4. A row that was written again since the checkpoint began is left to the next checkpoint: its redo row stays until
//     then.
// REDO-LOG-5. The log is bounded: by time, rows and length. While the tail is above its bound, commits wait for a slice.
// REDO-LOG-6. An orderly end leaves no redo.
// REDO-LOG-7. A checkpoint drops readers that were killed, such as a backup: no page is kept for them.

import { FatalError } from "../../runtime/errors/errors.ts";
import type { Clock, Write } from "../../runtime/ports.ts";
import type { Environment } from "./environment.ts";
import { foldedIn, foldedPuts, placed } from "./fold.ts";
import { encodeRedo } from "./redo-row.ts";
import { type Late, Tail } from "./tail.ts";
import type { Put } from "./transaction.ts";

/** A checkpoint begins this long after its first commit, ms, or at one of the bounds. */
const DUE_MS = 5_000;
const ROWS_MAX = 50_000;
/** Reading the first rows of a table skips at most this many removed ones. */
const REMOVALS_MAX = 10_000;
const CHARACTERS_MAX = 16 << 20;
const REDO_BYTES_MAX = 32 << 20;
/** The longest tail: above it, commits wait. */
const TAIL_CHARACTERS_MAX = 32 << 20;
/** The rows of a slice: the main thread passes them to lmdb in less than 4 ms. */
const SLICE_ROWS = 400;
const SLICE_CHARACTERS = 512 << 10;
/** Redo rows that are removed in one transaction. */
const REMOVED_AT_ONCE = 500;

export class RedoLog {
  readonly tail = new Tail();
  readonly #environment: Environment;
  readonly #clock: Clock;
  /** The number of the last redo row that is folded. */
  #folded: number;
  /** The last number that is durable, and the last number that was written. */
  #durable: number;
  #handedIn: number;
  /** The length of redo that is not folded. */
  #bytes = 0;
  #isBegun = false;
  /** Commits that wait for room, one after another. */
  #waiting = 0;
  #order: Promise<void> = Promise.resolve();
  #isFailed = false;
  #cancel: (() => void) | undefined;
  #running: Promise<void> | undefined;
  /** The slice that the running checkpoint writes now; undefined while it removes redo rows. */
  #slice: Promise<void> | undefined;

  /** @param environment the environment after the takeover: its log is empty. */
  constructor(environment: Environment, clock: Clock) {
    this.#environment = environment;
    this.#clock = clock;
    this.#folded = this.#durable = this.#handedIn = foldedIn(environment.tables);
  }

  /** @param writes checked. @throws what `Environment.write` does. */
  async commit(writes: readonly Write[]): Promise<void> {
    if (this.#waiting > 0 || this.#isFull) await this.#room();
    if (writes.length === 0) return this.#environment.write([]);
    if (!this.#isBegun) {
      this.#isBegun = true;
      return this.#environment.write(writes.map(placed));
    }
    const n = (this.#handedIn += 1);
    const text = encodeRedo(n, writes);
    await this.#environment.write([{ table: "redo", key: n, text }]);
    this.#durable = n;
    this.#bytes += text.length;
    this.tail.add(writes);
    this.#schedule();
  }

  /** Writes all commits to their places. If that fails, the environment has reported why. */
  async end(): Promise<void> {
    await this.#order;
    // This waits for all earlier writes.
    await this.#environment.write([]).catch(() => undefined);
    while (this.#durable > this.#folded && !this.#isFailed) await this.#checkpoint();
    this.#cancel?.();
  }

  get #isFull(): boolean {
    return this.tail.characters > TAIL_CHARACTERS_MAX;
  }

  async #room(): Promise<void> {
    this.#waiting += 1;
    this.#order = this.#order.then(async () => {
      while (this.#isFull && !this.#isFailed) {
        const running = this.#checkpoint();
        // If no slice is being written, only the end of the checkpoint makes room. Awaiting a promise that is already settled
        // would loop here and keep the checkpoint from writing. If the slice or the checkpoint fails, the commit gets the
        // error from its own write.
        await (this.#slice ?? running).catch(() => undefined);
      }
    });
    await this.#order;
    this.#waiting -= 1;
  }

  /** Begins a checkpoint if one of the log's bounds is reached, or plans one (REDO-LOG-5). */
  #schedule(): void {
    if (this.#running || this.#durable === this.#folded) return;
    const isDue =
      this.tail.size >= ROWS_MAX ||
      this.tail.removals >= REMOVALS_MAX ||
      this.tail.characters >= CHARACTERS_MAX ||
      this.#bytes >= REDO_BYTES_MAX;
    if (isDue) void this.#checkpoint();
    else this.#cancel ??= this.#clock.after(DUE_MS, () => void this.#checkpoint());
  }

  /** The running checkpoint, or a new one. */
  #checkpoint(): Promise<void> {
    this.#cancel?.();
    this.#cancel = undefined;
    return (this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      if (!this.#isFailed) this.#schedule();
    }));
  }

  async #run(): Promise<void> {
    try {
      await this.#fold(this.#durable, this.#bytes);
    } catch (error) {
      // Nothing to report here: the LMDB environment has reported the failure, and accepts no more writes.
      this.#isFailed = true;
      if (!(error instanceof FatalError)) throw error;
    }
  }

  /** Writes the rows of the log to their places (REDO-LOG-3). @param bytes the length of redo up to `upTo`. */
  async #fold(upTo: number, bytes: number): Promise<void> {
    for (const rows of slices(this.tail)) await (this.#slice = this.#place(rows));
    this.#slice = undefined;
    for (let from = this.#folded + 1; from <= upTo; from += REMOVED_AT_ONCE) {
      const to = Math.min(upTo, from + REMOVED_AT_ONCE - 1);
      await this.#environment.write(foldedPuts(from, to));
      this.#folded = to;
    }
    this.#bytes -= bytes;
    // REDO-LOG-7.
    this.#environment.tables.root.readerCheck();
  }

  async #place(rows: readonly (readonly [key: string, late: Late])[]): Promise<void> {
    await this.#environment.write(
      rows.map(([key, late]): Put => ({ table: "rows", key, ...(late !== null && { text: late }) })),
    );
    for (const [key, late] of rows) this.tail.settle(key, late);
  }
}

/** The rows of a tail as they are at the beginning, except those written again before their slice (REDO-LOG-4). */
function* slices(tail: Tail): Generator<readonly (readonly [key: string, late: Late])[]> {
  let rows: (readonly [key: string, late: Late])[] = [];
  let characters = 0;
  for (const [key, late] of tail.all()) {
    if (tail.get(key) !== late) continue;
    rows.push([key, late]);
    characters += key.length + (late?.length ?? 0);
    if (rows.length < SLICE_ROWS && characters < SLICE_CHARACTERS) continue;
    yield rows;
    rows = [];
    characters = 0;
  }
  if (rows.length > 0) yield rows;
}
