// Stored format
// Stores and their journals as earlier versions wrote them, from rows and entries kept as text.
//
//   Owns:          reading them; a disk in memory that holds one.
//   Does not own:  what is done with them.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { MemoryDisk } from "../../../adapters/memory/index.ts";
import type { Meta } from "../../../runtime/rows/meta.ts";

const linesOf = (name: string): readonly string[] =>
  readFileSync(join(import.meta.dirname, "..", "..", "stores", name), "utf8")
    .trimEnd()
    .split("\n");

/** A folder that an engine of an earlier format wrote; its journal has every entry from the first on. */
export interface StoredFormat {
  /** Every row, in key order. */
  readonly rows: readonly (readonly [key: string, value: string])[];
  readonly meta: Omit<Meta, "format"> & { readonly format: number };
  readonly disk: () => MemoryDisk;
}

function storedFormat(format: number): StoredFormat {
  const rows = linesOf(`format-${format}.jsonl`).map(
    (line) => JSON.parse(line) as readonly [key: string, value: string],
  );
  const entries = linesOf(`format-${format}.journal.jsonl`).map(
    (line) => JSON.parse(line) as readonly [position: number, at: number, body: string],
  );
  const meta = JSON.parse(new Map(rows).get("meta") ?? "") as StoredFormat["meta"];
  return {
    rows,
    meta,
    disk() {
      const disk = new MemoryDisk(meta.incarnation);
      for (const [key, value] of rows) disk.rows.set(key, value);
      for (const [position, at, body] of entries) disk.entries.push({ position, at, body });
      return disk;
    },
  };
}

export const FORMAT_3 = storedFormat(3);
export const FORMAT_4 = storedFormat(4);
export const FORMAT_5 = storedFormat(5);
