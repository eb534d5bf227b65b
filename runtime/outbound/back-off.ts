// Back-off
// The pause before something that failed is tried again: twice as long each time, up to a bound.
//
//   Owns:          how long the pause is, ending it early.
//   Does not own:  the work that is tried.

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

  /** How long the next pause is; the one after it will be longer. */
  nextMs(): number {
    const delayMs = this.#delayMs;
    this.#delayMs = Math.min(MOST_MS, delayMs * 2);
    return delayMs;
  }

  /** Resolves after the pause, at once when stopped. */
  async pause(): Promise<void> {
    await pause({ clock: this.#clock, ms: this.nextMs() }, this.#over.signal);
  }

  /** It worked: the next pause is short again. */
  reset(): void {
    this.#delayMs = FIRST_MS;
  }

  /** Ends the pause under way, and every later one. */
  stop(): void {
    this.#over.abort();
  }
}
