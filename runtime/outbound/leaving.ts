// Leaving
// A log whose rows leave the engine, as the outbox sees it.
//
//   Owns:          its shape.
//   Does not own:  the order in which rows leave (outbox), which logs there are (outlet-publisher).

import type { LogLooks } from "./log-rows.ts";

/** A log whose rows leave the engine. */
export interface Leaving<Row extends { readonly n: number }> extends LogLooks<Row> {
  /** Rows of one line leave one after the other. */
  readonly lineOf: (row: Row) => string;
  /** Counts up within each line. */
  readonly versionOf: (row: Row) => number;
  /** The highest version of the row's line that the other side has; 0 if none is known. */
  readonly lastVersion: (row: Row) => Promise<number>;
  /**
   * Resolves once the other side has taken the row.
   * @throws RefusedError or InvariantViolation if it will not be taken as things are (OUTBOX-3); else it may be later.
   */
  readonly publish: (row: Row) => Promise<void>;
}
