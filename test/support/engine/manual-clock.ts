// Manual clock
// Time that moves only when told to.
//
//   Owns:          wall and monotonic time as two numbers, and the timers between them.
//   Does not own:  any real waiting.

import type { Clock } from "../../../runtime/ports.ts";

interface Timer {
  readonly dueMs: number;
  readonly callback: () => void;
}

export class ManualClock implements Clock {
  #wallMs: number;
  #monotonicMs = 0;
  /** In the order they were set. */
  readonly #timers = new Set<Timer>();

  constructor(wallMs = 0) {
    this.#wallMs = wallMs;
  }

  now(): number {
    return this.#wallMs;
  }

  monotonic(): number {
    return this.#monotonicMs;
  }

  after(delayMs: number, callback: () => void): () => void {
    const timer = { dueMs: this.#monotonicMs + Math.max(0, delayMs), callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Lets `ms` pass on both clocks; timers fire on the way, each at its own time, in the order they are due. */
  advance(ms: number): void {
    const endMs = this.#monotonicMs + ms;
    for (let timer = this.#next(endMs); timer; timer = this.#next(endMs)) {
      this.#timers.delete(timer);
      this.#moveTo(Math.max(timer.dueMs, this.#monotonicMs));
      timer.callback();
    }
    this.#moveTo(endMs);
  }

  /** Moves only the wall clock, forwards or back: a person or NTP set it, or the machine slept. */
  stepWall(ms: number): void {
    this.#wallMs += ms;
  }

  #moveTo(monotonicMs: number): void {
    this.#wallMs += monotonicMs - this.#monotonicMs;
    this.#monotonicMs = monotonicMs;
  }

  #next(endMs: number): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.dueMs <= endMs && (first === undefined || timer.dueMs < first.dueMs)) first = timer;
    }
    return first;
  }
}
