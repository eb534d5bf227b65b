// Bell
// Lets any number of readers wait until something happens.
//
//   Owns:          the waiting.
//   Does not own:  what happened: a woken reader looks for itself, and may find nothing.

export class Bell {
  readonly #waiting = new Set<() => void>();

  /** Resolves at the next ring, or once `signal` is aborted. */
  wait(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#waiting.delete(wake);
        signal.removeEventListener("abort", wake);
        resolve();
      };
      this.#waiting.add(wake);
      signal.addEventListener("abort", wake, { once: true });
    });
  }

  ring(): void {
    for (const wake of [...this.#waiting]) wake();
  }
}
