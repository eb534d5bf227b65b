// Orderly
// Whether the data file is still as its last owner left it, who had time to say so.
//
//   Owns:          the mark `orderly` beside the file: writing it at an orderly end, taking it away at the next start.
//   Does not own:  what is done with the answer (tables.ts), when an end is orderly (environment.ts).
//   Decided in:    docs/decisions/0063-a-store-is-read-before-it-is-mapped.md.
//
// ORDERLY-1. The mark holds for one file, unwritten since: it names the file's device, number and length, and the times
//     of its last write and of its last change of any kind. The last one nobody can set: a copy, a file put back and
//     one written into all differ.
// ORDERLY-2. While a store is open there is no mark, on disk neither: whatever ends its process, the next start looks
//     at every page.

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
 * Removes the mark, on disk too; if there is none, the mark of an owner that is still closing.
 * @throws the file system's own errors.
 */
export async function dropMark(dir: string): Promise<void> {
  await rm(markIn(dir), { force: true });
  await sync(dir);
}

/** Leaves the mark: all is written, and nobody else writes. Where that fails, the next start looks at every page. */
export async function leaveMark(dir: string, file: string): Promise<void> {
  try {
    await writeFile(markIn(dir), await signOf(file), { mode: 0o600 });
  } catch {
    // A full or read-only disk must not keep the process from ending.
  }
}

async function signOf(path: string): Promise<string> {
  const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
  return [dev, ino, size, mtimeNs, ctimeNs].join(" ");
}
