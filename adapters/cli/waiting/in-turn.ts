// In turn
// Does one thing after the other, whether a stream or a clock asked for it.
//
//   Owns:          the order, and that a failure ends the whole.
//   Does not own:  the work itself.
//
// IN-TURN-1. No two are at work at once, and none begins after one has failed.

export class InTurn {
  readonly #failing = new AbortController();
  /** Aborted by the caller's, or once a turn has failed. */
  readonly signal: AbortSignal;
  #last: Promise<void> = Promise.resolve();
  #failure: { readonly error: unknown } | undefined;

  constructor(signal: AbortSignal) {
    this.signal = AbortSignal.any([signal, this.#failing.signal]);
  }

  /** @returns once it is done. @throws what it throws, or what one before it threw. */
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
