// Place
// Finds which row of a store comes next in a log, from the log's last entries.
//
//   Owns:          finding the log's last row, and whether that row came from this store.
//   Does not own:  everything else that is written to the log (audit-log.ts).
//
// AUDIT-LOG-PLACE-1. The store counts as behind if it has fewer rows than the log, for example after a restore from a backup:
//     the log then continues with the store's next new row. The store counts as another one if its row with the number of the
//     log's last row is a different row: the log then continues with the store's first row.

import { type Entry, entryIn, isOfRow, NO_OPENING, openedRow } from "../../runtime/audit/entry.ts";
import { canonicalText } from "../../runtime/canonical.ts";
import { keys } from "../../runtime/rows/keys.ts";
import { entriesIn } from "../../runtime/tlog/bundles.ts";
import { TILE_WIDTH } from "../../runtime/tlog/tiles.ts";
import { type LogFiles, openingsPath, piecePath } from "./files.ts";
import { type Audited, readRow } from "./rows.ts";

/**
 * `next`: the log continues with the row of this number. `another`: the log's rows are not this store's, so the log continues
 * with the store's first row. `behind`: the store lacks rows of the log, so the log continues with the store's next new row.
 */
export type Place = { readonly next: number } | "another" | "behind";

interface Last {
  readonly entry: Entry;
  readonly opening: string;
}

/** @param audits how many audit rows the store has had. */
export async function placeOf(
  files: LogFiles,
  size: number,
  store: Audited["store"],
  audits: number,
): Promise<Place> {
  const last = await lastOf(files, size);
  if (!last || last.entry.kind === "rows-erased") return "another";
  const next = nextOf(last.entry);
  if (next > audits + 1) return "behind";
  return isFrom(last, store) ? { next } : "another";
}

function nextOf(entry: Entry): number {
  if (isOfRow(entry)) return entry.n + 1;
  // Two kinds of entries without a row are left, because `lastOf` skips records of removed openings: a record of missing rows
  // gives the last of them (`to`), and a record of a log's beginning gives the first row that follows (`from`).
  return "to" in entry ? entry.to + 1 : "from" in entry ? entry.from : 1;
}

async function lastOf(files: LogFiles, size: number): Promise<Last | undefined> {
  for (let end = size; end > 0; end -= ((end - 1) % TILE_WIDTH) + 1) {
    const n = Math.floor((end - 1) / TILE_WIDTH);
    const width = end - n * TILE_WIDTH;
    const bundle = await files.read(piecePath("entries", n, width));
    const entries = bundle ? entriesIn(bundle).map(entryIn) : [];
    const at = entries.findLastIndex(({ kind }) => kind !== "rows-erased");
    const entry = entries[at];
    if (!entry) continue;
    const openings = (await files.read(openingsPath(n)))?.toString().split("\n");
    return { entry, opening: openings?.[at] ?? NO_OPENING };
  }
  return undefined;
}

function isFrom({ entry, opening }: Last, store: Audited["store"]): boolean {
  if (!isOfRow(entry)) return true;
  const key = keys.audit(entry.n);
  const text = store.get(key);
  const row = text === undefined ? undefined : readRow(key, text);
  // If the store's row was removed or cannot be read, nothing can be compared, and the log's row counts as this store's.
  if (!row) return true;
  const logged = openedRow(entry, opening);
  // If the content of an audit row was removed at a person's wish, only the row's time and kind are compared.
  return logged && row["forgotten"] !== true
    ? canonicalText(logged) === canonicalText(row)
    : row.at === entry.at && row.kind === entry.kind;
}
