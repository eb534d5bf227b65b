// Append
// The least that makes a text durable: it is appended to a file, and the file is synced.
//
//   Owns:          the floor that durable rows are held against.
//   Does not own:  medians (measure).

import { open } from "node:fs/promises";
import { join } from "node:path";
import { scratchFolder } from "./scratch.ts";

export interface Appending {
  /** @returns how long it took, ms. */
  readonly append: (text: string) => Promise<number>;
  readonly close: () => Promise<void>;
}

export async function openAppending(): Promise<Appending> {
  const file = await open(join(scratchFolder(), "append"), "a");
  const append = async (text: string): Promise<number> => {
    const from = performance.now();
    await file.write(text);
    await file.datasync();
    return performance.now() - from;
  };
  return { append, close: () => file.close() };
}
