// Patience
// Repeats a step of a start while the disk is full or read-only, or the NATS server does not answer.
//
//   Owns:          during which failures a start waits, how often a step is repeated, reporting why the start waits.
//   Does not own:  the steps that may fail (launch.ts, main.ts).

import { setTimeout as sleep } from "node:timers/promises";
import { RetryableError } from "../../runtime/errors/errors.ts";
import { AWAITED, type Awaited, type Trouble } from "../../runtime/errors/trouble.ts";

const PROBE_MS = 1000;

/** @param waiting called with a trouble when the step has to be repeated, and with undefined once the step succeeds. */
type Patiently = <T>(step: () => Promise<T>, waiting?: (trouble: Trouble | undefined) => void) => Promise<T>;

/** The trouble as every caller may read it, without the folder's name, which only the terminal shows (ERRORS-TROUBLE-1). */
const waitsFor = (code: Awaited, since: number): Trouble => ({
  code,
  message: `The engine waits to start (${code}) and tries again each second.`,
  next: "See what the engine printed where it was started: it says what to do.",
  since,
  isEssential: true,
});

/**
 * @param onWaiting called with each new reason to wait.
 * @param signal ends the waiting.
 * @returns a function that repeats a step each second until the step succeeds, or fails for good.
 */
export function patience(onWaiting: (reason: string, next: string) => void, signal: AbortSignal): Patiently {
  return async (step, waiting = () => undefined) => {
    const since = Date.now();
    for (let told = ""; ;) {
      try {
        const done = await step();
        waiting(undefined);
        return done;
      } catch (error) {
        if (!(error instanceof RetryableError)) throw error;
        const code = AWAITED.find((each) => each === error.code);
        if (code === undefined) throw error;
        waiting(waitsFor(code, since));
        if (told !== error.message) onWaiting(error.message, error.next);
        told = error.message;
        await sleep(PROBE_MS, undefined, { signal });
      }
    }
  };
}
