// Refusal
// What a refusal says, for tests to compare.
//
//   Owns:          running what must be refused.
//   Does not own:  which refusal is right.

import { RefusedError } from "../../../runtime/errors.ts";

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

/** The code a promise is refused with, with a next step. @throws Error when it was not refused. */
export async function refused(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof RefusedError) || error.next === "")
    throw new Error("It was not refused.", { cause: error });
  return error.code;
}

/** The code of the error a promise ends in; `taken` when it does not. */
export function codeOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => "taken",
    (error: unknown) => String(error instanceof Error && "code" in error ? error.code : error),
  );
}
