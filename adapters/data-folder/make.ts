// Make
// Creates the folder, and checks that it can keep secrets.
//
//   Owns:          creating it, its mode.
//   Does not own:  who may own it (ownership.ts), creating its content.
//
// MAKE-1. If a folder cannot be created, the error comes at once. Node's recursive mkdir retries for ever if the system reports
//     that an existing parent is missing (/proc).

import { mkdir } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { unless } from "../../runtime/errors/system-codes.ts";
import { checkFolder } from "./ownership.ts";
import type { DataFolder } from "./place.ts";
import { isMissing } from "../../runtime/errors/trouble.ts";
import { inWords } from "./trouble.ts";

const MODE = 0o700;

/**
 * Creates the folder, readable only by its user; an existing folder keeps its mode, unless other users may write.
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

/** Makes a folder and the missing folders above it (MAKE-1). @throws the system's error. */
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
