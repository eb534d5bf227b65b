// Back-off
// The pause before a failed operation is tried again. Each pause is twice as long as the one before, up to a limit.
//
//   Owns:          how long the pause is, ending the pause early.
//   Does not own:  the operation that is tried again.

import type { Clock } from "../ports.ts";
import { pause } from "../wait-for.ts";

const FIRST_MS = 250;
const MOST_MS = 10_000;

export class BackOff {
  readonly #clock: Clock;
  #delayMs = FIRST_MS;
  readonly #over = new AbortController();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The length of the next pause; the pause after it will be longer. */
  nextMs(): number {
    const delayMs = this.#delayMs;
    this.#delayMs = Math.min(MOST_MS, delayMs * 2);
    return delayMs;
  }

  /** Resolves after the pause, or immediately if stopped. */
  async pause(): Promise<void> {
    await pause({ clock: this.#clock, ms: this.nextMs() }, this.#over.signal);
  }

  /** Makes the next pause short again, after a success. */
  reset(): void {
    this.#delayMs = FIRST_MS;
  }

  /** Ends the current pause, and every later one. */
  stop(): void {
    this.#over.abort();
  }
}
