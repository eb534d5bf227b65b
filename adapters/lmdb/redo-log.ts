// Redo log
// Makes a commit durable as one row behind the last one, and brings its rows to their places later, many commits at once.
//
//   Owns:          the numbers of redo rows, what of them is not folded, when a checkpoint is due, running it.
//   Does not own:  reading (tail.ts), the form of a redo row (redo-row.ts), what a former owner left (fold.ts).
//   Decided in:    docs/decisions/0068-a-redo-log-of-rows.md.
//
// REDO-LOG-1. The first commit behind an opening goes straight to its places: the log is empty then. So the row that
//     says the store's format is in its place before any redo is, and an older version reads there that the store is
//     not its own.
// REDO-LOG-2. A row comes to the tail once its commit is durable, in the order of the commits: nobody reads it before.
// REDO-LOG-3. A checkpoint writes the tail as it stood at its beginning, in key order and in slices. Only then its redo
//     goes and `folded` moves: cut off before, the next start folds from the old `folded`, and comes to the same rows.
// REDO-LOG-4. A row that was written again since the checkpoint began is left to the next one: its redo stays until then.
// REDO-LOG-5. The log is bounded: by time, rows and length. Commits wait for a slice where the tail outgrows its bound.
// REDO-LOG-6. An orderly end leaves no redo.
// REDO-LOG-7. A checkpoint forgets readers that were killed, a backup's above all: no page is kept for them.

import { FatalError } from "../../runtime/errors/errors.ts";
import type { Clock, Write } from "../../runtime/ports.ts";
import type { Environment } from "./environment.ts";
import { foldedIn, foldedPuts, placed } from "./fold.ts";
import { encodeRedo } from "./redo-row.ts";
import { type Late, Tail } from "./tail.ts";
import type { Put } from "./transaction.ts";

/** A checkpoint begins this long after the first commit it is about, ms, or at one of the bounds. */
const DUE_MS = 5_000;
const ROWS_MAX = 50_000;
/** Reading the first rows of a table passes over this many removed ones at most. */
const REMOVALS_MAX = 10_000;
const CHARACTERS_MAX = 16 << 20;
const REDO_BYTES_MAX = 32 << 20;
/** Above this the tail takes in nothing more. */
const TAIL_CHARACTERS_MAX = 32 << 20;
/** A slice: the main thread hands it over in less than 4 ms. */
const SLICE_ROWS = 400;
const SLICE_CHARACTERS = 512 << 10;
/** Redo rows that go in one transaction. */
const REMOVED_AT_ONCE = 500;

export class RedoLog {
  readonly tail = new Tail();
  readonly #environment: Environment;
  readonly #clock: Clock;
  /** The last number whose rows are all in their places. */
  #folded: number;
  /** The last number that is durable, and the last one handed in. */
  #durable: number;
  #handedIn: number;
  /** The length of redo that is not folded. */
  #bytes = 0;
  #isBegun = false;
  /** Commits that wait for room, one behind the other. */
  #waiting = 0;
  #order: Promise<void> = Promise.resolve();
  #isFailed = false;
  #cancel: (() => void) | undefined;
  #running: Promise<void> | undefined;
  /** The slice under way, of the checkpoint that runs. */
  #slice: Promise<void> = Promise.resolve();

  /** @param environment taken over: its log is empty. */
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

  /** Brings all that was handed in to its place. Where that fails, the environment has told why. */
  async end(): Promise<void> {
    await this.#order;
    // Behind all that was handed in.
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
        void this.#checkpoint();
        // If it fails, the commit learns that from its own write.
        await this.#slice.catch(() => undefined);
      }
    });
    await this.#order;
    this.#waiting -= 1;
  }

  /** REDO-LOG-5. */
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

  /** The checkpoint that runs, or a new one. */
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
      // The environment has reported it, and takes no more writes.
      this.#isFailed = true;
      if (!(error instanceof FatalError)) throw error;
    }
  }

  /** REDO-LOG-3. @param bytes the length of redo up to `upTo`. */
  async #fold(upTo: number, bytes: number): Promise<void> {
    for (const rows of slices(this.tail)) await (this.#slice = this.#place(rows));
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

/** The rows of a tail as they stand at the beginning, except those that are written again before their turn (REDO-LOG-4). */
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
