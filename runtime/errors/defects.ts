// Defects
// Reports defects of the engine, or of its stored rows, to the operator.
//
//   Owns:          reporting an unreadable or damaged row once, however often it is read.
//   Does not own:  what an unreadable row means for the session, timer or page to which the row belongs (turn, timers, paging).
//
// G9. An unreadable row affects only the session, timer or page that it belongs to. The row is skipped and always reported.

import { InvariantViolation } from "./errors.ts";

const TOLD_MAX = 1_024;

export class Defects {
  readonly #tell: (error: unknown) => void;
  readonly #told = new Set<string>();

  constructor(tell: (error: unknown) => void) {
    this.#tell = tell;
  }

  ofRow(key: string, cause: unknown): void {
    const next = "Everything else still works; export the row's session and report this.";
    this.#once(key, "BAD_RECORD", `The row ${key} cannot be read; it was skipped.`, next, { cause });
  }

  /** Reports a row that contains a tool input whose text does not have the stored hash. */
  ofInput(key: string): void {
    const message = `An input in the row ${key} does not match its hash: it is not shown and cannot be approved.`;
    const next =
      "Deny the approvals that have this input, and check the disk: other rows may be damaged, too.";
    this.#once(key, "INPUT_DAMAGED", message, next);
  }

  #once(key: string, ...error: ConstructorParameters<typeof InvariantViolation>): void {
    if (this.#told.has(key)) return;
    if (this.#told.size >= TOLD_MAX) this.#told.clear();
    this.#told.add(key);
    this.#tell(new InvariantViolation(...error));
  }
}
