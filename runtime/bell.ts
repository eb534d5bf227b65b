// Bell
// Lets any number of readers wait until something happens.
//
//   Owns:          the list of waiting readers, and waking these readers.
//   Does not own:  waiting with a time limit (wait-for), what happened (a reader that is woken has to look for itself).

import { anyNews, type Source, waitFor } from "./wait-for.ts";

export class Bell {
  readonly #waiting = new Set<() => void>();
  readonly rings: Source<void> = (hear) => {
    this.#waiting.add(hear);
    return () => this.#waiting.delete(hear);
  };

  /** Resolves at the next ring, or once `signal` is aborted. */
  wait(signal: AbortSignal): Promise<unknown> {
    return waitFor(this.rings, anyNews, undefined, signal);
  }

  ring(): void {
    for (const wake of [...this.#waiting]) wake();
  }
}
