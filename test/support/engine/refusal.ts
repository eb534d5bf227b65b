// Refusal
// The text of a refusal, for tests to compare.
//
//   Owns:          running what must be refused.
//   Does not own:  which refusal is right.

import { RefusedError } from "../../../runtime/errors/errors.ts";

/** @throws Error if it was not refused. */
export function refusal(run: () => unknown): { code: string; path: string | undefined } {
  try {
    run();
  } catch (error) {
    if (error instanceof RefusedError) return { code: error.code, path: error.path };
    throw error;
  }
  throw new Error("It was let in.");
}

/** The code that a promise is refused with, which must have a next step. @throws Error if it was not refused. */
export async function refused(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof RefusedError) || error.next === "")
    throw new Error("It was not refused.", { cause: error });
  return error.code;
}

/** The code of the error that a promise ends in; `taken` if it succeeds. */
export function codeOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => "taken",
    (error: unknown) => String(error instanceof Error && "code" in error ? error.code : error),
  );
}
