// Refusal
// What a refusal says, for tests to compare.
//
//   Owns:          running what must be refused.
//   Does not own:  which refusal is right.

import { RefusedError } from "../../runtime/errors.ts";

/** @throws Error when it was not refused. */
export function refusal(run: () => unknown): { code: string; path: string | undefined } {
  try {
    run();
  } catch (error) {
    if (error instanceof RefusedError) return { code: error.code, path: error.path };
    throw error;
  }
  throw new Error("It was let in.");
}
