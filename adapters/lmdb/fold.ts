// Fold
// Folds the redo log that an earlier owner left: before any row is read, the rows in the log are written to their tables.
//
//   Owns:          which redo rows there must be, and what happens if some are missing.
//   Does not own:  the form of a redo row (redo-row.ts), folding while an engine runs (redo-log.ts).
//   Decided in:    docs/decisions/0068-a-redo-log-of-rows.md.
//
// FOLD-1. After a start, each row is as the last acknowledged commit left it.
// FOLD-2. Redo rows are numbered without a gap; the first has the number after that of the last folded row (`folded`). If a redo
//     row is missing or damaged, the store counts as damaged, and no part of the log is folded.
// FOLD-3. If a fold was interrupted, the next start continues it, because one transaction does all of this: it writes rows to
//     their tables, removes their redo rows and moves `folded`.
// FOLD-4. A fold needs little room on a disk that is nearly full: each step frees the room that the next one needs.

import { join } from "node:path";
import type { Write } from "../../runtime/ports.ts";
import { decodeRedo, isRedo } from "./redo-row.ts";
import type { Tables } from "./tables.ts";
import type { Put } from "./transaction.ts";
import { storeDamaged } from "./trouble.ts";

/** The key of the row in the table `meta` with the number of the last folded redo row. */
export const FOLDED = "folded";
/** One transaction folds (writes to the table) at most this many bytes of redo rows, or a single longer row. */
const STEP_BYTES = 1 << 20;

export const foldedIn = ({ meta }: Tables): number => Number(meta.get(FOLDED) ?? 0);

/** The writes that remove the redo rows from `from` to `to`, and set `folded` to `to`. */
export function foldedPuts(from: number, to: number): readonly Put[] {
  const gone: Put[] = [];
  for (let key = from; key <= to; key += 1) gone.push({ table: "redo", key });
  return [...gone, { table: "meta", key: FOLDED, text: String(to) }];
}

export const placed = (write: Write): Put =>
  "put" in write ? { table: "rows", key: write.put, text: write.value } : { table: "rows", key: write.del };

/** @param write makes puts durable, all or none. @throws FatalError STORE_DAMAGED (FOLD-2), and what `write` throws. */
export async function foldLeft(
  dir: string,
  tables: Tables,
  write: (puts: readonly Put[]) => Promise<void>,
): Promise<void> {
  check(dir, tables);
  for (;;) {
    const from = foldedIn(tables) + 1;
    const rows = new Map<string, Put>();
    let to = from - 1;
    let bytes = 0;
    for (const { key, value } of tables.redo.getRange({})) {
      bytes += value.length;
      if (to >= from && bytes > STEP_BYTES) break;
      to = key;
      const writes = decodeRedo(key, value);
      if (writes === undefined) throw damaged(dir, notWritten(key));
      for (const one of writes) {
        const put = placed(one);
        rows.set(String(put.key), put);
      }
    }
    if (to < from) return;
    await write([...rows.values(), ...foldedPuts(from, to)]);
  }
}

const damaged = (dir: string, what: string) => storeDamaged(join(dir, "data.mdb"), what);
const notWritten = (n: number): string => `row ${n} of its redo log is not what was written`;

/** FOLD-2. Checks that no redo row is missing or damaged, before the first one is folded. @throws FatalError STORE_DAMAGED */
function check(dir: string, tables: Tables): void {
  const folded = foldedIn(tables);
  if (!Number.isSafeInteger(folded)) throw damaged(dir, "it does not say where its redo log begins");
  let next = folded + 1;
  for (const { key, value } of tables.redo.getRange({})) {
    if (key !== next) throw damaged(dir, `row ${next} of its redo log is missing`);
    if (!isRedo(key, value)) throw damaged(dir, notWritten(key));
    next += 1;
  }
}
