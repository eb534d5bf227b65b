// Sync
// Makes a file's bytes, or the names in a folder, durable.
//
//   Owns:          the system call that makes a file or folder durable.
//   Does not own:  when a sync is due (orderly.ts, compact.ts).

import { open } from "node:fs/promises";

export async function sync(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
