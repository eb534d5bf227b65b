// Sync
// Makes a file's bytes, or the names in a folder, durable.
//
//   Owns:          that one step.
//   Does not own:  when a sync is due (orderly.ts, compact.ts).

import { open } from "node:fs/promises";

/** @param path the path of a file or a folder. @throws the file system's own errors. */
export async function sync(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
