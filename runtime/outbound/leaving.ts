// Leaving
// A log whose rows leave the engine, as the outbox needs to know it.
//
//   Owns:          the shape of it.
//   Does not own:  the order in which rows leave (outbox), which logs there are (outlet-publisher).

import type { LogLooks } from "./log-rows.ts";

/** A log whose rows leave the engine. */
export interface Leaving<Row extends { readonly n: number }> extends LogLooks<Row> {
  /** Rows of one line leave one after the other. */
  readonly lineOf: (row: Row) => string;
  /** Counts up in each line. */
  readonly versionOf: (row: Row) => number;
  /** The highest version of the row's line that the other side has; 0 when none is known. */
  readonly lastVersion: (row: Row) => Promise<number>;
  /**
   * Resolves once the other side has taken the row.
   * @throws RefusedError or InvariantViolation when it never will as things are (OUTBOX-3); anything else when it did not.
   */
  readonly publish: (row: Row) => Promise<void>;
}
