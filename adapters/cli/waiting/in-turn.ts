// In turn
// Runs pieces of work one after another, whether a stream or a clock added them.
//
//   Owns:          the order; dropping all further work after a failure.
//   Does not own:  what is done with an item.
//
// IN-TURN-1. No two pieces run at once, and none begins after one has failed.

export class InTurn {
  readonly #failing = new AbortController();
  /** Aborted by the caller's signal, or once a piece of work has failed. */
  readonly signal: AbortSignal;
  #last: Promise<void> = Promise.resolve();
  #failure: { readonly error: unknown } | undefined;

  constructor(signal: AbortSignal) {
    this.signal = AbortSignal.any([signal, this.#failing.signal]);
  }

  /** @returns once `turn` is done. @throws what `turn`, or one before it, threw. */
  async take(turn: () => Promise<void>): Promise<void> {
    this.add(turn);
    await this.#last;
    this.check();
  }

  /** Adds work that nobody waits for. */
  add(turn: () => Promise<void>): void {
    this.#last = this.#last.then(async () => {
      if (this.#failure) return;
      try {
        await turn();
      } catch (error) {
        this.#failure = { error };
        this.#failing.abort();
      }
    });
  }

  /** @throws what a turn threw. */
  check(): void {
    if (this.#failure) throw this.#failure.error;
  }
}
