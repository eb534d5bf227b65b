// Format 2
// A store as version 0.1.0 wrote it, from rows kept as text.
//
//   Owns:          reading the rows; a disk in memory that holds them and a journal read to its end.
//   Does not own:  what is done with them.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { MemoryDisk } from "../../../adapters/memory/index.ts";
import type { Store, Write } from "../../../runtime/ports.ts";

type Row = readonly [key: string, value: string];

/** Every row of a real data folder, in key order: the lines were written by `store.range`. */
export const ROWS_OF_2: readonly Row[] = readFileSync(
  join(import.meta.dirname, "..", "..", "stores", "format-2.jsonl"),
  "utf8",
)
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as Row);

export const META_OF_2 = JSON.parse(new Map(ROWS_OF_2).get("meta") ?? "") as {
  readonly incarnation: string;
  readonly position: number;
  readonly at: number;
};

/** @param more rows beside those of the folder. */
export function diskOf2(more: readonly Row[] = []): MemoryDisk {
  const disk = new MemoryDisk(META_OF_2.incarnation);
  for (const [key, value] of [...ROWS_OF_2, ...more]) disk.rows.set(key, value);
  disk.trimmed = META_OF_2.position;
  return disk;
}

export const fill = (store: Store, rows: readonly Row[] = ROWS_OF_2): Promise<void> =>
  store.commit(rows.map(([put, value]): Write => ({ put, value })));
