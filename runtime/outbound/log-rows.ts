// Log rows
// Reads a log of the store in windows of numbered rows.
//
//   Owns:          reading on from a row; skipping a row that cannot be read.
//   Does not own:  what the rows say.
//
// G9. An unreadable row is reported and skipped: the rows behind it are still read.

import type { Store } from "../ports.ts";

/** Some rows of a log. */
export interface LogWindow<Row> {
  readonly rows: readonly Row[];
  /** The log was read up to here. */
  readonly upTo: number;
}

/** What a log looks like. */
export interface LogLooks<Row> {
  readonly key: (n: number) => string;
  /** True if a value can be a row of this log. */
  readonly fits: (value: unknown) => value is Row;
}

export class LogRows<Row extends { readonly n: number }> {
  readonly #store: Store;
  readonly #key: (n: number) => string;
  readonly #fits: (value: unknown) => value is Row;
  readonly #unreadable: (key: string, cause: unknown) => void;

  /** @param unreadable called with each row that was skipped. */
  constructor(
    store: Store,
    { key, fits }: LogLooks<Row>,
    unreadable: (key: string, cause: unknown) => void = () => undefined,
  ) {
    this.#store = store;
    this.#key = key;
    this.#fits = fits;
    this.#unreadable = unreadable;
  }

  /** The rows after `after` up to `last`, at most `limit`. */
  read(after: number, last: number, limit: number): LogWindow<Row> {
    const range = { gte: this.#key(after + 1), lt: this.#key(last + 1), limit };
    const found = [...this.#store.range(range)];
    const rows = found.flatMap(([key, text]) => this.#parsed(key, text) ?? []);
    const [lastKey = ""] = found.at(-1) ?? [];
    // A key ends with its row's number.
    return { rows, upTo: found.length < limit ? last : Number(lastKey.slice(lastKey.lastIndexOf("/") + 1)) };
  }

  #parsed(key: string, text: string): Row | undefined {
    try {
      const row: unknown = JSON.parse(text);
      if (this.#fits(row)) return row;
      throw new Error("It lacks what every row of its log has.");
    } catch (error) {
      this.#unreadable(key, error);
      return undefined;
    }
  }
}
