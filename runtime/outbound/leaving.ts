// Leaving
// The interface through which the outbox reads and publishes a log.
//
//   Owns:          what the outbox needs of a log: its rows, their lines, how to publish a row.
//   Does not own:  the order of publishing (outbox), which logs there are (outlet-publisher).

import type { LogLooks } from "./log-rows.ts";

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
