// Patience
// What a start waits for: a disk that has room and can be written, a NATS server that answers.
//
//   Owns:          which failures are waited out, how often a step is tried again, telling why.
//   Does not own:  the steps (launch.ts, main.ts).

import { setTimeout as sleep } from "node:timers/promises";
import { RetryableError } from "../runtime/errors.ts";

/** Anything else that may go by is for the next process: of an engine that has begun to start nothing is left as it was. */
const WAITED_OUT: ReadonlySet<string> = new Set([
  "FOLDER_FULL",
  "FOLDER_READ_ONLY",
  "NATS_UNAVAILABLE",
  "STORE_FULL",
  "STORE_READ_ONLY",
]);
const PROBE_MS = 1000;

/** @param waiting called with the code of each failure, and with undefined once the step is done. */
type Patiently = <T>(step: () => Promise<T>, waiting?: (code: string | undefined) => void) => Promise<T>;

/**
 * @param onWaiting told of each new reason.
 * @param signal ends the waiting.
 * @returns what tries a step again each second for as long as that may help.
 */
export function patience(onWaiting: (reason: string, next: string) => void, signal: AbortSignal): Patiently {
  return async (step, waiting = () => undefined) => {
    for (let told = ""; ;) {
      try {
        const done = await step();
        waiting(undefined);
        return done;
      } catch (error) {
        if (!(error instanceof RetryableError) || !WAITED_OUT.has(error.code)) throw error;
        waiting(error.code);
        if (told !== error.message) onWaiting(error.message, error.next);
        told = error.message;
        await sleep(PROBE_MS, undefined, { signal });
      }
    }
  };
}
