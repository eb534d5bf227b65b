// Held lines
// Keeps the lines (queues) of a log that are held back while the other lines are published.
//
//   Owns:          from which row on each line is held back, how many of its rows wait, since when and why; releasing a line.
//   Does not own:  trying held lines again (outbox).
//
// HELD-LINES-1. No row of a line is published before an earlier row of the same line that is held back.
// HELD-LINES-2. Before the first held row of a line is sent again, the outbox asks the outlet whether it has the row.

import { inLines } from "./in-lines.ts";
import type { Leaving, LogRows } from "./log-rows.ts";

export interface Holding {
  readonly error: unknown;
  /** When the line was first held, by the monotonic clock, ms. */
  readonly since: number;
}

interface Held extends Holding {
  /** The number of the first row of the line that the outlet has not taken. */
  readonly from: number;
  /**
   * How many rows of this line wait. Counts only up to the number to which the other lines were published; later rows are not
   * counted yet.
   */
  rows: number;
}

const LINES_AT_ONCE = 256;
const ROWS_AT_ONCE = 256;

export class HeldLines<Row extends { readonly n: number }> {
  readonly #lines = new Map<string, Held>();
  readonly #leaving: Leaving<Row>;
  readonly #log: LogRows<Row>;

  constructor(leaving: Leaving<Row>, log: LogRows<Row>) {
    this.#leaving = leaving;
    this.#log = log;
  }

  get size(): number {
    return this.#lines.size;
  }

  /** How many rows of all held lines wait. */
  get rows(): number {
    let rows = 0;
    for (const held of this.#lines.values()) rows += held.rows;
    return rows;
  }

  get floor(): number {
    let floor = Infinity;
    for (const { from } of this.#lines.values()) floor = Math.min(floor, from);
    return floor;
  }

  /** Why a line is held, and since when: the line that has not been tried for the longest time. */
  get first(): Holding | undefined {
    const [first] = this.#lines.values();
    return first;
  }

  has(line: string): boolean {
    return this.#lines.has(line);
  }

  hold(line: string, from: number, { error, since }: Holding): void {
    const before = this.#lines.get(line);
    // The held line moves to the end of the queue, so that all held lines are tried in turn.
    this.#lines.delete(line);
    this.#lines.set(line, { from, error, since: before?.since ?? since, rows: before?.rows ?? 0 });
  }

  /** Counts the rows that belong to held lines: they wait, although the other rows were published. */
  pass(rows: readonly Row[]): void {
    for (const row of rows) {
      const held = this.#lines.get(this.#leaving.lineOf(row));
      if (held && row.n >= held.from) held.rows += 1;
    }
  }

  /**
   * Tries the first row of some lines again. If the outlet takes the row, the line's further rows are sent, too, up to the number
   * `front`.
   * @param send sends one row. @returns false if the row is refused again, and its line held again.
   * @throws the error of `send`; the remaining lines wait for the next try.
   */
  async goOn(front: number, send: (row: Row, known: number) => Promise<boolean>): Promise<void> {
    const going = new Map<string, number>();
    for (const line of [...this.#lines.keys()].slice(0, LINES_AT_ONCE)) {
      const row = this.#firstOf(line, front);
      if (!row) this.#lines.delete(line);
      else {
        const known = await this.#leaving.lastVersion(row);
        if (await this.#sent(line, row, known, send)) going.set(line, known);
      }
    }
    let at = Math.min(...Array.from(going.keys(), (line) => this.#lines.get(line)?.from ?? Infinity)) - 1;
    while (going.size > 0 && at < front) {
      const { rows, upTo } = this.#log.read(at, front, ROWS_AT_ONCE);
      await this.#sendOf(rows, going, send);
      at = upTo;
    }
    for (const line of going.keys()) this.#lines.delete(line);
  }

  #firstOf(line: string, front: number): Row | undefined {
    const isOurs = (row: Row): boolean => this.#leaving.lineOf(row) === line;
    let at = (this.#lines.get(line)?.from ?? Infinity) - 1;
    while (at < front) {
      const { rows, upTo } = this.#log.read(at, front, ROWS_AT_ONCE);
      const found = rows.find(isOurs);
      if (found) return found;
      at = upTo;
    }
    return undefined;
  }

  /** Sends the rows of the released lines; holds a line again if one of its rows is refused. */
  async #sendOf(
    rows: readonly Row[],
    going: Map<string, number>,
    send: (row: Row, known: number) => Promise<boolean>,
  ): Promise<void> {
    const { lineOf } = this.#leaving;
    const waits = (row: Row): boolean => {
      const line = lineOf(row);
      return going.has(line) && row.n >= (this.#lines.get(line)?.from ?? Infinity);
    };
    const ends = await inLines(rows.filter(waits), lineOf, async (row) => {
      const line = lineOf(row);
      const known = going.get(line);
      if (known !== undefined && !(await this.#sent(line, row, known, send))) going.delete(line);
    });
    const failure = ends.find((end) => end.status === "rejected");
    if (failure) throw failure.reason;
  }

  async #sent(
    line: string,
    row: Row,
    known: number,
    send: (row: Row, known: number) => Promise<boolean>,
  ): Promise<boolean> {
    if (!(await send(row, known))) return false;
    const held = this.#lines.get(line);
    if (held) this.#lines.set(line, { ...held, from: row.n + 1, rows: held.rows - 1 });
    return true;
  }
}
