// Log rows
// Reads a log of the store in windows of numbered rows. One row of the store may contain several numbered rows of the log.
//
//   Owns:          continuing to read after a given row; skipping an unreadable row; what the outbox needs of a log.
//   Does not own:  what the rows contain, the order of publishing (outbox), which logs there are (outlet-publisher).
//
// G9. An unreadable row of the log is reported and skipped; later rows are still read.

import { after } from "../rows/keys.ts";
import type { Store } from "../ports.ts";

export interface LogWindow<Row> {
  readonly rows: readonly Row[];
  /** The number up to which the log was read. */
  readonly upTo: number;
}

export interface LogLooks<Row> {
  /** The key of the row that ends with number `n`. */
  readonly key: (n: number) => string;
  /** The rows in a text of the store. @throws Error for a text that is not a row of this log. */
  readonly rowsIn: (text: string) => readonly Row[];
}

/** A log as the outbox reads and publishes it. */
export interface Leaving<Row extends { readonly n: number }> extends LogLooks<Row> {
  /** The line of a row. Rows of one line are published one after another. */
  readonly lineOf: (row: Row) => string;
  /** The version of a row, which increases within each line. */
  readonly versionOf: (row: Row) => number;
  /** The highest version of the row's line that the outlet has; 0 if none is known. */
  readonly lastVersion: (row: Row) => Promise<number>;
  /**
   * Resolves once the outlet has taken the row.
   * @throws RefusedError or InvariantViolation for a row that will be refused again (OUTBOX-3); after any other error, another
   * try may succeed.
   */
  readonly publish: (row: Row) => Promise<void>;
}

export class LogRows<Row extends { readonly n: number }> {
  readonly #store: Store;
  readonly #looks: LogLooks<Row>;
  readonly #unreadable: (key: string, cause: unknown) => void;

  constructor(
    store: Store,
    looks: LogLooks<Row>,
    unreadable: (key: string, cause: unknown) => void = () => undefined,
  ) {
    this.#store = store;
    this.#looks = looks;
    this.#unreadable = unreadable;
  }

  /** The rows after `behind` up to `last`, from at most `limit` rows of the store. */
  read(behind: number, last: number, limit: number): LogWindow<Row> {
    const first = this.#looks.key(behind + 1);
    const table = first.slice(0, first.lastIndexOf("/") + 1);
    const rows: Row[] = [];
    let upTo = behind;
    let found = 0;
    for (const [key, text] of this.#store.range({ gte: first, lt: after(table), limit })) {
      found += 1;
      upTo = Math.min(last, Number(key.slice(table.length)));
      for (const row of this.#parsed(key, text)) if (row.n > behind && row.n <= last) rows.push(row);
      if (upTo === last) break;
    }
    return { rows, upTo: found < limit ? last : upTo };
  }

  #parsed(key: string, text: string): readonly Row[] {
    try {
      return this.#looks.rowsIn(text);
    } catch (error) {
      this.#unreadable(key, error);
      return [];
    }
  }
}
