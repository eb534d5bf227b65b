// Patience
// What a start waits for: a disk that has room and can be written, a NATS server that answers.
//
//   Owns:          which failures are waited out, how often a step is tried again, telling why.
//   Does not own:  the steps (launch.ts, main.ts).

import { setTimeout as sleep } from "node:timers/promises";
import { RetryableError } from "../runtime/errors.ts";
import type { Trouble } from "../runtime/trouble.ts";

/** Anything else that may go by is for the next process: of an engine that has begun to start nothing is left as it was. */
const WAITED_OUT: ReadonlySet<string> = new Set([
  "FOLDER_FULL",
  "FOLDER_READ_ONLY",
  "NATS_UNAVAILABLE",
  "STORE_FULL",
  "STORE_READ_ONLY",
]);
const PROBE_MS = 1000;

/** @param waiting called when a failure is waited out, and with undefined once the step is done. */
type Patiently = <T>(step: () => Promise<T>, waiting?: (trouble: Trouble | undefined) => void) => Promise<T>;

/** Anybody may read it: what the error says, with the folder's name, is told where the engine was started (RUNTIME-TROUBLE-1). */
const waitsFor = (code: string, since: number): Trouble => ({
  code,
  message: `The engine waits to start (${code}) and tries again each second.`,
  next: "What to do is said where it was started.",
  since,
  isEssential: true,
});

/**
 * @param onWaiting told of each new reason.
 * @param signal ends the waiting.
 * @returns what tries a step again each second for as long as that may help.
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
        if (!(error instanceof RetryableError) || !WAITED_OUT.has(error.code)) throw error;
        waiting(waitsFor(error.code, since));
        if (told !== error.message) onWaiting(error.message, error.next);
        told = error.message;
        await sleep(PROBE_MS, undefined, { signal });
      }
    }
  };
}
