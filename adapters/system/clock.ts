// System clock
// The time of this machine.
//
//   Owns:          reading the clock, and waiting longer than one timer can.
//   Does not own:  what to do when wall and monotonic time diverge (runtime/engine/timers).
//
// SYSTEM-CLOCK-1. A delay of any length ends when its time is over, and never earlier, even if the wall clock is changed.

import type { Clock } from "../../runtime/ports.ts";

/** The longest delay that a Node timer accepts; with a longer delay, Node fires the timer at once. */
const TIMER_MAX_MS = 2 ** 31 - 1;

export function systemClock(): Clock {
  return {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    after(delayMs, callback) {
      let timer: NodeJS.Timeout;
      const arm = (leftMs: number): void => {
        const stepMs = Math.min(leftMs, TIMER_MAX_MS);
        timer = setTimeout(() => (leftMs > stepMs ? arm(leftMs - stepMs) : callback()), stepMs);
      };
      arm(Math.max(0, delayMs));
      return () => clearTimeout(timer);
    },
  };
}
