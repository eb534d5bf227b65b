// Outbox
// A log of the store on its way to the outlet: in order, again after a failure, never past a gap.
//
//   Owns:          the window in flight, going back to the lowest row not taken, the floor.
//   Does not own:  the log (turn), what a row is outside (leaving), keeping the floor on disk (chores).
//
// G4. A row leaves only once it is durable.
// P1. No row ever arrives behind a later one of its line: of each line one is in flight at a time, and after a
//     failure all in flight are waited for before publishing goes on from the lowest row not taken. A line of changes
//     is a session.
// P2. What may have been sent before (by an earlier start, or in a window that failed) is asked for first: a row the
//     other side has is not sent again.

import { BackOff } from "./back-off.ts";
import type { Clock, Store } from "./ports.ts";

const WINDOW = 256;

/** A log whose rows leave the engine. */
export interface Leaving<Row extends { readonly n: number }> {
  readonly key: (n: number) => string;
  /** Rows of one line leave one after the other. */
  readonly lineOf: (row: Row) => string;
  /** Counts up in each line. */
  readonly versionOf: (row: Row) => number;
  /** The highest version of the row's line that the other side has; 0 when none is known. */
  readonly lastVersion: (row: Row) => Promise<number>;
  /** Resolves once the other side has taken the row. @throws when it did not. */
  readonly publish: (row: Row) => Promise<void>;
}

/** How far a log has left. */
export interface Floor {
  /** Rows up to here have been taken, as far as the store knows. */
  readonly published: number;
  /** Rows up to here are in the store. */
  readonly durable: number;
}

export class Outbox<Row extends { readonly n: number }> {
  readonly #store: Store;
  readonly #leaving: Leaving<Row>;
  readonly #backOff: BackOff;
  readonly #moved: () => void;
  /** The last version the other side has, of the lines asked for. */
  readonly #known = new Map<string, number>();
  /** Rows up to here may have been sent before. */
  #askUpTo: number;
  #published: number;
  #durable: number;
  #running: Promise<void> | undefined;
  #stopped = false;

  /** @param moved called when more have been taken. */
  constructor(
    store: Store,
    leaving: Leaving<Row>,
    clock: Clock,
    { published, durable }: Floor,
    moved: () => void = () => undefined,
  ) {
    this.#store = store;
    this.#leaving = leaving;
    this.#backOff = new BackOff(clock);
    this.#moved = moved;
    this.#published = published;
    this.#durable = durable;
    this.#askUpTo = durable;
  }

  /** Rows up to here have been taken by the outlet. */
  get published(): number {
    return this.#published;
  }

  /** Rows not taken yet. */
  get waiting(): number {
    return this.#durable - this.#published;
  }

  /** Tells that rows up to `n` are durable. */
  advance(n: number): void {
    this.#durable = Math.max(this.#durable, n);
    if (this.#running === undefined && !this.#stopped && this.waiting > 0) {
      this.#running = this.#run();
    }
  }

  /** Stops after what is in flight; what is left goes out at the next start. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#backOff.stop();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.waiting > 0 && !this.#stopped) {
      let rows: readonly Row[] = [];
      try {
        rows = this.#next();
        await this.#ask(rows);
        await this.#send(rows);
        this.#backOff.reset();
      } catch {
        this.#known.clear();
        this.#askUpTo = Math.max(this.#askUpTo, rows.at(-1)?.n ?? 0);
        await this.#backOff.pause();
      }
    }
    // In the same step as the last look: what becomes durable from now on starts anew.
    this.#running = undefined;
  }

  /** P2 */
  async #ask(rows: readonly Row[]): Promise<void> {
    const { lineOf, lastVersion } = this.#leaving;
    const lines = new Map<string, Row>();
    for (const row of rows) {
      if (row.n <= this.#askUpTo && !this.#known.has(lineOf(row))) lines.set(lineOf(row), row);
    }
    await Promise.all(
      Array.from(lines, async ([line, row]) => {
        this.#known.set(line, await lastVersion(row));
      }),
    );
  }

  /** P1. @throws what the first row that was not taken failed with. */
  async #send(rows: readonly Row[]): Promise<void> {
    const { lineOf } = this.#leaving;
    const lines = new Map<string, Promise<void>>();
    let failed = false;
    const sent = rows.map((row) => {
      const before = lines.get(lineOf(row)) ?? Promise.resolve();
      const next = before.then(async () => {
        if (failed) throw new Error("An earlier row was not taken.");
        await this.#publish(row);
      });
      next.catch(() => {
        failed = true;
      });
      lines.set(lineOf(row), next);
      return next;
    });
    const ends = await Promise.allSettled(sent);
    const lost = ends.findIndex(({ status }) => status === "rejected");
    const first = rows[lost];
    this.#published = first ? first.n - 1 : (rows.at(-1)?.n ?? this.#durable);
    if (this.#published >= this.#askUpTo) this.#known.clear();
    this.#moved();
    const failure = ends[lost];
    if (failure?.status === "rejected") throw failure.reason;
  }

  async #publish(row: Row): Promise<void> {
    const { lineOf, versionOf, publish } = this.#leaving;
    if ((this.#known.get(lineOf(row)) ?? 0) >= versionOf(row)) return;
    await publish(row);
  }

  /** The next window; empty where the log has nothing left up to what is durable. */
  #next(): Row[] {
    const { key } = this.#leaving;
    const range = { gte: key(this.#published + 1), lt: key(this.#durable + 1), limit: WINDOW };
    // Rows of a log are written by the turn only.
    return Array.from(this.#store.range(range), ([, text]) => JSON.parse(text) as Row);
  }
}
