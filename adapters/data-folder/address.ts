// Address
// Where the folder's engine listens, so that commands find one on another port without being told.
//
//   Owns:          the file.
//   Does not own:  whether an engine is still there: the file outlives an engine that was killed.

import { readOwn, writeOwn } from "./own-file.ts";
import type { DataFolder } from "./place.ts";

/** Notes the URL of the engine that holds the folder. */
export async function writeAddress(folder: DataFolder, url: string): Promise<void> {
  await writeOwn(folder.address, `${url}\n`);
}

/** @returns the last URL noted; undefined when there is none. @throws RefusedError as `readOwn`: a token is sent there. */
export async function readAddress(folder: DataFolder): Promise<string | undefined> {
  const text = await readOwn(folder.address);
  return text?.trim() || undefined;
}
