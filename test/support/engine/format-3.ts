// Format 3
// A store and its journal as the version before wrote them, from rows and entries kept as text.
//
//   Owns:          reading them; a disk in memory that holds them.
//   Does not own:  what is done with them.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { MemoryDisk } from "../../../adapters/memory/index.ts";
import type { Meta } from "../../../runtime/rows/meta.ts";

const linesOf = (name: string): readonly string[] =>
  readFileSync(join(import.meta.dirname, "..", "..", "stores", name), "utf8")
    .trimEnd()
    .split("\n");

/** Every row of a real data folder, in key order. */
export const ROWS_OF_3 = linesOf("format-3.jsonl").map(
  (line) => JSON.parse(line) as readonly [key: string, value: string],
);

const ENTRIES_OF_3 = linesOf("format-3.journal.jsonl").map(
  (line) => JSON.parse(line) as readonly [position: number, at: number, body: string],
);

export const META_OF_3 = JSON.parse(new Map(ROWS_OF_3).get("meta") ?? "") as Omit<Meta, "format"> & {
  readonly format: 3;
};

/** The folder; its journal has every entry from the first on. */
export function diskOf3(): MemoryDisk {
  const disk = new MemoryDisk(META_OF_3.incarnation);
  for (const [key, value] of ROWS_OF_3) disk.rows.set(key, value);
  for (const [position, at, body] of ENTRIES_OF_3) disk.entries.push({ position, at, body });
  return disk;
}
