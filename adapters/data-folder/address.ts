// Address
// Where the folder's engine listens, so that commands find one on another port without being told.
//
//   Owns:          the file.
//   Does not own:  whether an engine is still there: the file outlives one that was killed.

import { readFile, rename, writeFile } from "node:fs/promises";
import type { DataFolder } from "./place.ts";

/** Notes the URL of the engine that holds the folder. */
export async function writeAddress(folder: DataFolder, url: string): Promise<void> {
  const draft = `${folder.address}.${process.pid}`;
  await writeFile(draft, `${url}\n`, { mode: 0o600 });
  await rename(draft, folder.address);
}

/** @returns the last URL noted; undefined when there is none. */
export async function readAddress(folder: DataFolder): Promise<string | undefined> {
  try {
    return (await readFile(folder.address, "utf8")).trim() || undefined;
  } catch {
    return undefined;
  }
}
