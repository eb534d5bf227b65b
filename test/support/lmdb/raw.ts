// Raw
// What stands in a store's tables, whoever has it open: read from a copy of its file.
//
//   Owns:          the copy, the tables' names.
//   Does not own:  when nobody writes (the tests).

import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unsummed } from "../../../adapters/lmdb/row-sum.ts";
import { openTables, type Tables } from "../../../adapters/lmdb/tables.ts";

/** What is in a table and what in the redo log. */
export interface Raw {
  readonly rows: ReadonlyMap<string, string>;
  readonly redo: readonly number[];
  readonly folded: string | undefined;
}

/** @param dir of a store to which nobody writes at the moment. */
export async function rawIn(dir: string): Promise<Raw> {
  const copy = mkdtempSync(join(tmpdir(), "signalbox-raw-"));
  try {
    copyFileSync(join(dir, "data.mdb"), join(copy, "data.mdb"));
    return await changed(copy, ({ rows, redo, meta }) => ({
      rows: new Map([...rows.getRange({})].map(({ key, value }) => [key, unsummed(key, value)])),
      redo: [...redo.getKeys()],
      folded: meta.get("folded"),
    }));
  } finally {
    rmSync(copy, { recursive: true });
  }
}

/** Opens the tables of a store that nobody has open. */
export async function changed<T>(dir: string, change: (tables: Tables) => T | Promise<T>): Promise<T> {
  const tables = await openTables(dir);
  try {
    return await change(tables);
  } finally {
    await tables.root.close();
  }
}
