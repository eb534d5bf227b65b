// System clock
// The machine's own time.
//
//   Owns:          reading it, and waiting longer than one timer can.
//   Does not own:  what to do when wall and monotonic time diverge (runtime/engine/timers).
//
// SYSTEM-CLOCK-1. A delay of any length ends when its time is over and never before, whatever happens to the wall clock.

import type { Clock } from "../../runtime/ports.ts";

/** The longest delay a Node timer takes; a longer one would fire at once. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/** @returns the clock of this machine; `after` takes any delay. */
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
