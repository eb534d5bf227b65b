// Orderly
// A mark beside the data file shows that its last owner ended in order and that the file is unchanged since.
//
//   Owns:          the mark `orderly`: writing it at an orderly end, removing it at the next start.
//   Does not own:  what follows from the mark (tables.ts), when an end is orderly (environment.ts).
//   Decided in:    docs/decisions/0063-a-store-is-read-before-it-is-mapped.md.
//
// ORDERLY-1. The mark is valid only for one file, and only until somebody writes to it. The mark contains the file's device,
//     number and length, and the times of the file's last write and of its last change of any kind. Nobody can set the time of
//     the last change: a copy, a restored file and a changed file all have another one.
// ORDERLY-2. While a store is open there is no mark, not even on disk: however its process ends, the next start checks every
//     page.

import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sync } from "./sync.ts";

const markIn = (dir: string): string => join(dir, "orderly");

/** @param file the data file in `dir`. @returns true if the file is as its last owner left it in order. */
export async function fitsMark(dir: string, file: string): Promise<boolean> {
  const [marked, found] = await Promise.all([
    readFile(markIn(dir), "utf8").catch(() => undefined),
    signOf(file).catch(() => undefined),
  ]);
  return found !== undefined && marked === found;
}

/**
 * Removes the mark, on disk too; without a mark, it still syncs the folder, for an owner that is closing. @throws the file
 * system's own errors.
 */
export async function dropMark(dir: string): Promise<void> {
  await rm(markIn(dir), { force: true });
  await sync(dir);
}

/** Writes the mark: all is written, and nobody else writes. If that fails, the next start checks every page. */
export async function leaveMark(dir: string, file: string): Promise<void> {
  try {
    await writeFile(markIn(dir), await signOf(file), { mode: 0o600 });
  } catch {
    // If the disk is full or read-only, the mark is missing; the process must end all the same.
  }
}

async function signOf(path: string): Promise<string> {
  const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
  return [dev, ino, size, mtimeNs, ctimeNs].join(" ");
}
