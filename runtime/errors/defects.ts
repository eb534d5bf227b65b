// Defects
// Reports defects of the engine or its rows to the operator.
//
//   Owns:          reporting an unreadable or damaged row once, however often it is read.
//   Does not own:  what a bad row means for its session, timer or page (turn, timers, paging).
//
// G9.   An unreadable row affects only the session, timer or page that it belongs to. It is skipped, and always reported.

import { InvariantViolation } from "./errors.ts";

const TOLD_MAX = 1_024;

export class Defects {
  readonly #tell: (error: unknown) => void;
  readonly #told = new Set<string>();

  constructor(tell: (error: unknown) => void) {
    this.#tell = tell;
  }

  ofRow(key: string, cause: unknown): void {
    this.#once(
      key,
      () =>
        new InvariantViolation(
          "BAD_RECORD",
          `The row ${key} cannot be read; it was skipped.`,
          "Everything else still works; export the row's session and report this.",
          { cause },
        ),
    );
  }

  /** Reports a row with a tool input that does not match its hash. */
  ofInput(key: string): void {
    this.#once(
      key,
      () =>
        new InvariantViolation(
          "INPUT_DAMAGED",
          `An input in the row ${key} does not match its hash: it is not shown and cannot be approved.`,
          "Deny the approvals that have this input, and check the disk: other rows may be damaged, too.",
        ),
    );
  }

  #once(key: string, error: () => InvariantViolation): void {
    if (this.#told.has(key)) return;
    if (this.#told.size >= TOLD_MAX) this.#told.clear();
    this.#told.add(key);
    this.#tell(error());
  }
}
