// Redo log
// Makes a commit durable as one row of the redo log. Later, it writes the rows of many commits at once to their tables.
//
//   Owns:          the numbers of redo rows, which redo rows are not folded yet, the checkpoints (each writes the rows of many
//                  commits to their tables).
//   Does not own:  reading rows (tail.ts), the form of a redo row (redo-row.ts), the log of a former owner (fold.ts).
//   Decided in:    docs/decisions/0068-a-redo-log-of-rows.md.
//
// REDO-LOG-1. The first commit after the store is opened is written directly to the tables. So the row with the store's format is
//     in its table before the log has any row, and an older version of Signalbox reads there that it cannot use the store.
// REDO-LOG-2. A row enters the tail (the durable rows that are not in their tables yet, tail.ts) once its commit is durable, in
//     the order of the commits. No reader sees the row earlier.
// REDO-LOG-3. A checkpoint writes the tail's rows to the tables, as the rows were when the checkpoint began. Only then does it
//     remove the redo rows and raise `folded`, the number of the last redo row whose rows are in their tables. After an
//     interrupted checkpoint, the next start folds (writes to the tables) all redo rows after the old `folded`, with the same
//     result.
// REDO-LOG-4. If a row is written again while a checkpoint runs, the next checkpoint writes the newer text to the table. Until
//     then, the redo row with the newer text stays.
// REDO-LOG-5. The redo log is limited: a checkpoint begins after a time, or once the log has many rows or is long. While the
//     tail is above its limit, each commit waits until a part of the tail is written to the tables.
// REDO-LOG-6. After an orderly end, the redo log is empty.
// REDO-LOG-7. A checkpoint removes killed reading processes, such as a backup, from lmdb's list, so that lmdb frees their pages.

import { FatalError } from "../../runtime/errors/errors.ts";
import type { Clock, Write } from "../../runtime/ports.ts";
import type { Environment } from "./environment.ts";
import { foldedIn, foldedPuts, placed } from "./fold.ts";
import { encodeRedo } from "./redo-row.ts";
import { type Late, Tail } from "./tail.ts";
import type { Put } from "./transaction.ts";

/** How long after the log's first commit a checkpoint begins, ms; it begins sooner if the log reaches one of the bounds below. */
const DUE_MS = 5_000;
const ROWS_MAX = 50_000;
/** At this many removed rows in the tail a checkpoint begins, because each read of a range must skip them. */
const REMOVALS_MAX = 10_000;
const CHARACTERS_MAX = 16 << 20;
const REDO_BYTES_MAX = 32 << 20;
/** Commits wait while the tail (the rows that are not yet in the table) has more characters than this. */
const TAIL_CHARACTERS_MAX = 32 << 20;
/** A checkpoint writes slices of at most this many rows, one transaction each: passing them to lmdb takes less than 4 ms. */
const SLICE_ROWS = 400;
const SLICE_CHARACTERS = 512 << 10;
const REMOVED_AT_ONCE = 500;

export class RedoLog {
  readonly tail = new Tail();
  readonly #environment: Environment;
  readonly #clock: Clock;
  // The numbers of three redo rows: the last folded one, the last durable one, and the last one whose write has begun.
  #folded: number;
  #durable: number;
  #handedIn: number;
  #bytes = 0;
  #isBegun = false;
  #waiting = 0;
  #order: Promise<void> = Promise.resolve();
  #isFailed = false;
  #cancel: (() => void) | undefined;
  #running: Promise<void> | undefined;
  /** The slice that the running checkpoint is writing; undefined while the checkpoint removes redo rows. */
  #slice: Promise<void> | undefined;

  /** @param environment an environment that has taken the folder over, so that its redo log is empty. */
  constructor(environment: Environment, clock: Clock) {
    this.#environment = environment;
    this.#clock = clock;
    this.#folded = this.#durable = this.#handedIn = foldedIn(environment.tables);
  }

  /** @param writes the rows to write; the caller must have checked them. @throws what `Environment.write` throws. */
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

  /** Writes the rows of all commits to the table. If this fails, the environment has reported why. */
  async end(): Promise<void> {
    await this.#order;
    // An empty write resolves after all earlier writes.
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
        // Each written slice makes room, so the commit waits for the next slice. After the last slice only the next checkpoint
        // makes room, so the commit then waits for the end of the running checkpoint: waiting for a slice that is already written
        // would spin. If writing fails, the commit's own write fails, too.
        await (this.#slice ?? running).catch(() => undefined);
      }
    });
    await this.#order;
    this.#waiting -= 1;
  }

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
      // If folding fails, the environment has already reported the failure, and accepts no more writes.
      this.#isFailed = true;
      if (!(error instanceof FatalError)) throw error;
    }
  }

  /**
   * Writes the log's rows to the table (REDO-LOG-3).
   * @param upTo the last redo row that is then removed.
   * @param bytes the length of the redo rows up to `upTo`.
   */
  async #fold(upTo: number, bytes: number): Promise<void> {
    for (const rows of slices(this.tail)) await (this.#slice = this.#place(rows));
    this.#slice = undefined;
    for (let from = this.#folded + 1; from <= upTo; from += REMOVED_AT_ONCE) {
      const to = Math.min(upTo, from + REMOVED_AT_ONCE - 1);
      await this.#environment.write(foldedPuts(from, to));
      this.#folded = to;
    }
    this.#bytes -= bytes;
    // REDO-LOG-7: removes killed processes from lmdb's list of readers.
    this.#environment.tables.root.readerCheck();
  }

  async #place(rows: readonly (readonly [key: string, late: Late])[]): Promise<void> {
    await this.#environment.write(
      rows.map(([key, late]): Put => ({ table: "rows", key, ...(late !== null && { text: late }) })),
    );
    for (const [key, late] of rows) this.tail.settle(key, late);
  }
}

/** The rows of a tail, in slices. A row that is written again before its slice is made is omitted (REDO-LOG-4). */
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
