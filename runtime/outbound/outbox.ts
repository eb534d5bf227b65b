// Outbox
// Publishes a log of the store to the outlet, and tries again after a failure. The rows of each line, such as the changes of
// one session, are published in order.
//
//   Owns:          which rows are in flight, going back to the first row that the outlet did not take, the floor, when held lines
//                  are tried again.
//   Does not own:  the log (turn), held lines (held-lines), storing the floor (maintenance), row forms (outlet-publisher).
//   Decided in:    docs/decisions/0026-in-order-on-the-way-out.md.
//
// G4. A row is published only once it is durable.
// OUTBOX-1. The rows of a line arrive in order, because only one row of a line is in flight at a time. After a failure the
//     outbox waits for all rows in flight, and then continues from the first row that the outlet did not take.
// OUTBOX-2. If an earlier start or a failed try may have sent a row, the outbox asks the outlet whether it has the row before it
//     sends the row again. A row that the outlet has is not sent again.
// OUTBOX-3. If the outlet will refuse a row each time, only the row's own line is held back. A held line is tried again from the
//     refused row on.

import { BackOff } from "./back-off.ts";
import { InvariantViolation, RefusedError } from "../errors/errors.ts";
import { HeldLines, type Holding } from "./held-lines.ts";
import { inLines } from "./in-lines.ts";
import { type Leaving, LogRows } from "./log-rows.ts";
import type { Clock, Store } from "../ports.ts";

const WINDOW = 256;

/** How far a log was published and stored. */
export interface Floor {
  /** The number of the last row that the outlet has taken, according to the store. */
  readonly published: number;
  /** The number of the last row that is in the store. */
  readonly durable: number;
}

export interface OutboxNews {
  /** Called when the outlet has taken more rows. */
  readonly moved?: () => void;
  /** Called with an unreadable row. The row is skipped, so its line has a hole. */
  readonly unreadable?: (key: string, cause: unknown) => void;
}

/** What prevents rows from being published. */
export interface Hindrance {
  /** Present if no row can be published: the reason. */
  readonly failing?: Holding;
  /** Present if some lines cannot be published: one reason, and how many lines and rows wait. */
  readonly held?: Holding & { readonly lines: number; readonly rows: number };
}

export class Outbox<Row extends { readonly n: number }> {
  readonly #leaving: Leaving<Row>;
  readonly #clock: Clock;
  readonly #log: LogRows<Row>;
  readonly #held: HeldLines<Row>;
  readonly #backOff: BackOff;
  readonly #heldBackOff: BackOff;
  readonly #moved: () => void;
  /** For each line about which the outlet was asked: the last version that the outlet has. */
  readonly #known = new Map<string, number>();
  /** The number of the last row that may have been sent before: by an earlier start, or in a failed try (OUTBOX-2). */
  #askUpTo: number;
  /** The number up to which the outlet has taken all rows, except those of held lines. */
  #front: number;
  #durable: number;
  #failing: Holding | undefined;
  #running: Promise<void> | undefined;
  #isDue = false;
  #cancelDue: (() => void) | undefined;
  #stopped = false;

  constructor(
    store: Store,
    leaving: Leaving<Row>,
    clock: Clock,
    { published, durable }: Floor,
    { moved = () => undefined, unreadable }: OutboxNews = {},
  ) {
    this.#leaving = leaving;
    this.#clock = clock;
    this.#log = new LogRows(store, leaving, unreadable);
    this.#held = new HeldLines(leaving, this.#log);
    this.#backOff = new BackOff(clock);
    this.#heldBackOff = new BackOff(clock);
    this.#moved = moved;
    this.#front = published;
    this.#durable = durable;
    this.#askUpTo = durable;
  }

  /** The number up to which the outlet has taken all rows. */
  get published(): number {
    return Math.min(this.#front, this.#held.floor - 1);
  }

  get waiting(): number {
    return this.#durable - this.#front + this.#held.rows;
  }

  get hindrance(): Hindrance {
    const { first, size: lines, rows } = this.#held;
    return {
      ...(this.#failing && { failing: this.#failing }),
      ...(first && { held: { ...first, lines, rows } }),
    };
  }

  advance(n: number): void {
    this.#durable = Math.max(this.#durable, n);
    this.#go();
  }

  /** Stops after the rows that are being sent; the next start sends the later rows. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#backOff.stop();
    this.#cancelDue?.();
    await this.#running;
  }

  get #hasWork(): boolean {
    return !this.#stopped && (this.#front < this.#durable || this.#isDue);
  }

  #go(): void {
    if (this.#running === undefined && this.#hasWork) this.#running = this.#run();
  }

  async #run(): Promise<void> {
    while (this.#hasWork) {
      try {
        await (this.#isDue ? this.#tryHeld() : this.#window());
        this.#backOff.reset();
        this.#failing = undefined;
      } catch (error) {
        this.#failing = { error, since: this.#failing?.since ?? this.#clock.monotonic() };
        this.#known.clear();
        await this.#backOff.pause();
      }
    }
    // No `await` may come between the last check for rows and the next line: rows that become durable later must start a new run.
    this.#running = undefined;
  }

  /** Sends the next rows. @throws the error of the first row that was not taken. */
  async #window(): Promise<void> {
    const { rows, upTo } = this.#log.read(this.#front, this.#durable, WINDOW);
    try {
      await this.#ask(rows);
      await this.#send(rows, upTo);
    } catch (error) {
      this.#askUpTo = Math.max(this.#askUpTo, rows.at(-1)?.n ?? 0);
      throw error;
    }
  }

  /** Asks the outlet which of these rows it has already, if the rows may have been sent before (OUTBOX-2). */
  async #ask(rows: readonly Row[]): Promise<void> {
    const { lineOf, lastVersion } = this.#leaving;
    const lines = new Map<string, Row>();
    for (const row of rows) {
      const line = lineOf(row);
      if (row.n <= this.#askUpTo && !this.#known.has(line) && !this.#held.has(line)) lines.set(line, row);
    }
    await Promise.all(
      Array.from(lines, async ([line, row]) => {
        this.#known.set(line, await lastVersion(row));
      }),
    );
  }

  /** OUTBOX-1. Sends rows. @param upTo the end of the window. @throws the error of the first row that was not taken. */
  async #send(rows: readonly Row[], upTo: number): Promise<void> {
    const { lineOf } = this.#leaving;
    const ends = await inLines(rows, lineOf, async (row) => {
      const line = lineOf(row);
      if (!this.#held.has(line)) await this.#publish(row, this.#known.get(line) ?? 0);
    });
    const lost = ends.findIndex(({ status }) => status === "rejected");
    const first = rows[lost];
    this.#front = first ? first.n - 1 : upTo;
    this.#held.pass(first ? rows.slice(0, lost) : rows);
    this.#planHeld();
    if (this.#front >= this.#askUpTo) this.#known.clear();
    this.#moved();
    const failure = ends[lost];
    if (failure?.status === "rejected") throw failure.reason;
  }

  /** Publishes one row (OUTBOX-3). @returns false for a refused row, whose line is now held. @throws any other failure. */
  async #publish(row: Row, known: number): Promise<boolean> {
    const { lineOf, versionOf, publish } = this.#leaving;
    if (known >= versionOf(row)) return true;
    try {
      await publish(row);
      return true;
    } catch (error) {
      if (!(error instanceof RefusedError || error instanceof InvariantViolation)) throw error;
      this.#held.hold(lineOf(row), row.n, { error, since: this.#clock.monotonic() });
      return false;
    }
  }

  async #tryHeld(): Promise<void> {
    this.#isDue = false;
    try {
      await this.#held.goOn(this.#front, (row, known) => this.#publish(row, known));
    } finally {
      this.#planHeld();
      this.#moved();
    }
  }

  #planHeld(): void {
    if (this.#held.size === 0) {
      this.#heldBackOff.reset();
      return;
    }
    if (this.#isDue || this.#stopped) return;
    this.#cancelDue ??= this.#clock.after(this.#heldBackOff.nextMs(), () => {
      this.#cancelDue = undefined;
      this.#isDue = true;
      this.#go();
    });
  }
}
