// System codes
// Recognises, by their codes, system errors that a step of the program may ignore.
//
//   Owns:          recognising a code, running a step whose failure may be ignored.
//   Does not own:  recognising a system error (trouble.ts), the message about it (each adapter).

import { isSystemError } from "./trouble.ts";

export const isCode = (error: unknown, ...codes: readonly string[]): boolean =>
  isSystemError(error) && codes.includes(error.code);

/** Runs a step; returns undefined if the step fails with one of these codes. */
export async function unless<T>(codes: readonly string[], step: Promise<T>): Promise<T | undefined> {
  try {
    return await step;
  } catch (error) {
    if (isCode(error, ...codes)) return undefined;
    throw error;
  }
}

/** Runs a step; returns undefined if a file or folder is missing. @param step needs a file or folder that may be missing. */
export const unlessMissing = <T>(step: Promise<T>): Promise<T | undefined> => unless(["ENOENT"], step);

/**
 * @param found a step that fails with ENOENT if the file or folder does not exist.
 * @returns whether the file or folder exists.
 * @throws any other error.
 */
export const isThere = async (found: Promise<unknown>): Promise<boolean> =>
  (await unlessMissing(found.then(() => true))) === true;
