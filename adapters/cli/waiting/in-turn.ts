// In turn
// Runs asynchronous functions one after another, in the order in which a stream or a timer added them.
//
//   Owns:          the order of the functions; dropping all later functions after one has failed.
//   Does not own:  what the functions do.
//
// IN-TURN-1. Of the functions that are added, no two run at the same time, and none begins after another has failed.

export class InTurn {
  readonly #failing = new AbortController();
  readonly signal: AbortSignal;
  #last: Promise<void> = Promise.resolve();
  #failure: { readonly error: unknown } | undefined;

  constructor(signal: AbortSignal) {
    this.signal = AbortSignal.any([signal, this.#failing.signal]);
  }

  /** @returns once `turn` is done. @throws what `turn`, or a function added before it, threw. */
  async take(turn: () => Promise<void>): Promise<void> {
    this.add(turn);
    await this.#last;
    this.check();
  }

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

  check(): void {
    if (this.#failure) throw this.#failure.error;
  }
}
