// Make
// The folder made, and found fit to keep secrets in.
//
//   Owns:          making it, its mode.
//   Does not own:  whose it may be (ownership.ts), making what is in it.
//
// MAKE-1. Where a folder cannot be made, that is told at once: Node's own way of making several at once tries for ever
//     where the system says that a folder is not there in one that is (/proc).

import { mkdir } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { checkFolder } from "./ownership.ts";
import type { DataFolder } from "./place.ts";
import { inWords, isMissing, isSystemError } from "./trouble.ts";

const MODE = 0o700;

/**
 * Makes the folder, readable by its user only; one that is there keeps its mode, unless others may write.
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

async function makeDeep(dir: string): Promise<void> {
  const make = (): Promise<unknown> =>
    mkdir(dir, { mode: MODE }).catch((error: unknown) => {
      if (!(isSystemError(error) && error.code === "EEXIST")) throw error;
    });
  try {
    await make();
  } catch (error) {
    if (!isMissing(error) || dirname(dir) === dir) throw error;
    await makeDeep(dirname(dir));
    await make();
  }
}
