// Orderly
// Writes and checks a mark beside the data file: the file's last owner ended in order, and the file is unchanged since then.
//
//   Owns:          the mark file `orderly`: writing it at an orderly end, removing it at the next start.
//   Does not own:  which check a start skips if the mark is valid (tables.ts), when an end is orderly (environment.ts).
//   Decided in:    docs/decisions/0063-a-store-is-read-before-it-is-mapped.md.
//
// ORDERLY-1. The mark is valid for one data file, until somebody writes to that file. The mark contains the file's device, inode
//     number and length, and the times of its last write and of its last change of any kind. No program can set the time of the
//     last change: a copied or changed file has another one.
// ORDERLY-2. While a store is open, there is no mark on disk: if its process is killed, the next start checks every page.

import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sync } from "./sync.ts";

const markIn = (dir: string): string => join(dir, "orderly");

/** @param file the data file in `dir`. @returns true if the file is unchanged since its last owner ended in order. */
export async function fitsMark(dir: string, file: string): Promise<boolean> {
  const [marked, found] = await Promise.all([
    readFile(markIn(dir), "utf8").catch(() => undefined),
    signOf(file).catch(() => undefined),
  ]);
  return found !== undefined && marked === found;
}

/**
 * Removes the mark, if there is one, and syncs the folder. Callers do not look for a mark first, because an owner that is just
 * closing may write it at any moment.
 * @throws the file system's own errors.
 */
export async function dropMark(dir: string): Promise<void> {
  await rm(markIn(dir), { force: true });
  await sync(dir);
}

/** Writes the mark. All writes must be on disk, and nobody else may write. If this fails, the next start checks every page. */
export async function leaveMark(dir: string, file: string): Promise<void> {
  try {
    await writeFile(markIn(dir), await signOf(file), { mode: 0o600 });
  } catch {
    // If the disk is full or read-only, the mark of an orderly end cannot be written, but the process must still end.
  }
}

async function signOf(path: string): Promise<string> {
  const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
  return [dev, ino, size, mtimeNs, ctimeNs].join(" ");
}
