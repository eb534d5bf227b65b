// System codes
// Which of the system's errors may go by, by their codes.
//
//   Owns:          telling one from another, a step whose failure may go by.
//   Does not own:  what an error of the system's is (trouble.ts), its words (each adapter).

import { isSystemError } from "./trouble.ts";

/** True for an error of the system with one of these codes. */
export const isCode = (error: unknown, ...codes: readonly string[]): boolean =>
  isSystemError(error) && codes.includes(error.code);

/** Runs a step that may fail with one of these codes: undefined then. */
export async function unless<T>(codes: readonly string[], step: Promise<T>): Promise<T | undefined> {
  try {
    return await step;
  } catch (error) {
    if (isCode(error, ...codes)) return undefined;
    throw error;
  }
}

/** @param step one that needs a file or folder, and may find none. */
export const unlessMissing = <T>(step: Promise<T>): Promise<T | undefined> => unless(["ENOENT"], step);

/** @param found asks for the file or folder. @returns whether it is there. @throws what else goes wrong. */
export const isThere = async (found: Promise<unknown>): Promise<boolean> =>
  (await unlessMissing(found.then(() => true))) === true;
