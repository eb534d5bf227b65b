// System sync
// Measures how long a disk takes to make a write durable.
//
//   Owns:          the measurement, and the file that the measurement writes.
//   Does not own:  deciding how long is too long (the caller).
//
// SYSTEM-SYNC-1. The measurement leaves no file in the folder.

import { randomUUID } from "node:crypto";
import { open, unlink } from "node:fs/promises";
import { join } from "node:path";

const WRITES = 9;
/** How many bytes each write has: as many as the commit of one message. */
const BYTES = 4_096;

/** @returns the median time of a write and its sync, ms; undefined if nothing can be written. */
export async function syncTimeOf(dir: string): Promise<number | undefined> {
  const path = join(dir, `.sync-${randomUUID()}`);
  const file = await open(path, "wx", 0o600).catch(() => undefined);
  if (!file) return undefined;
  try {
    const times: number[] = [];
    for (let n = 0; n < WRITES; n += 1) {
      const from = performance.now();
      await file.write(Buffer.alloc(BYTES, n), 0, BYTES, n * BYTES);
      await file.datasync();
      times.push(performance.now() - from);
    }
    return times.sort((one, other) => one - other)[Math.floor(WRITES / 2)];
  } catch {
    return undefined;
  } finally {
    await file.close();
    await unlink(path);
  }
}
