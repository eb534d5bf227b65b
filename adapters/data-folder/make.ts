// Make
// Creates the data folder, and checks that the folder can keep secrets.
//
//   Owns:          creating the folder, and its mode.
//   Does not own:  who may own the folder (ownership.ts), creating its files.
//
// MAKE-1. If a folder cannot be created, the error comes at once. Node's recursive mkdir is not used, because it retries for ever
//     in /proc.

import { mkdir } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { unless } from "../../runtime/errors/system-codes.ts";
import { checkFolder } from "./ownership.ts";
import type { DataFolder } from "./place.ts";
import { isMissing } from "../../runtime/errors/trouble.ts";
import { inWords } from "./trouble.ts";

const MODE = 0o700;

/**
 * Creates the data folder. If others can enter an existing folder, it is closed to them or refused (DATA-FOLDER-OWNERSHIP-3).
 * @throws RefusedError NOT_YOURS, OPEN_TO_OTHERS, LINKED, FOLDER_UNUSABLE; RetryableError FOLDER_FULL, FOLDER_READ_ONLY
 */
export async function makeFolder(folder: DataFolder): Promise<void> {
  const { dir, ...parts } = folder;
  const names = new Set(Object.values(parts).map((path) => basename(path)));
  await inWords(dir, async () => {
    await makeDeep(dir);
    await checkFolder(dir, names);
  });
}

/** Creates a folder and the missing folders above it (MAKE-1). @throws the system's error. */
export async function makeDeep(dir: string): Promise<void> {
  const make = (): Promise<unknown> => unless(["EEXIST"], mkdir(dir, { mode: MODE }));
  try {
    await make();
  } catch (error) {
    if (!isMissing(error) || dirname(dir) === dir) throw error;
    await makeDeep(dirname(dir));
    await make();
  }
}
