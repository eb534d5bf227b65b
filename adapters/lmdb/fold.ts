// Fold
// Brings what an earlier owner left in the redo log to its places, before anybody reads a row.
//
//   Owns:          which redo rows there must be, and what follows if they are not there.
//   Does not own:  their form (redo-row.ts), bringing rows to their places while an engine runs (redo-log.ts).
//   Decided in:    docs/decisions/0068-a-redo-log-of-rows.md.
//
// FOLD-1. After a start each row is as the last commit that was acknowledged left it.
// FOLD-2. Redo rows are numbered without a gap, from the one after `folded`. If one is missing or damaged, the store is
//     damaged, and nothing of the log is folded.
// FOLD-3. A fold that was cut off is gone on with: rows come to their places, their redo goes and `folded` moves in one
//     transaction.
// FOLD-4. A fold takes little room on a disk that is nearly full: what is folded makes room for the next step.

import { join } from "node:path";
import type { Write } from "../../runtime/ports.ts";
import { decodeRedo, isRedo } from "./redo-row.ts";
import type { Tables } from "./tables.ts";
import type { Put } from "./transaction.ts";
import { storeDamaged } from "./trouble.ts";

/** The key of the number in the table `meta`. */
export const FOLDED = "folded";
/** Redo of this length is folded in one transaction, or a single longer row. */
const STEP_BYTES = 1 << 20;

/** The number of the last redo row whose rows are in their places. */
export function foldedIn({ meta }: Tables): number {
  return Number(meta.get(FOLDED) ?? 0);
}

/** The writes that record that all redo up to `to` is in its place, and that remove it. @param from the first redo row. */
export function foldedPuts(from: number, to: number): readonly Put[] {
  const gone: Put[] = [];
  for (let key = from; key <= to; key += 1) gone.push({ table: "redo", key });
  return [...gone, { table: "meta", key: FOLDED, text: String(to) }];
}

/** A write in its place. */
export const placed = (write: Write): Put =>
  "put" in write ? { table: "rows", key: write.put, text: write.value } : { table: "rows", key: write.del };

/**
 * @param write makes puts durable, all or none.
 * @throws FatalError STORE_DAMAGED (FOLD-2), and what `write` throws.
 */
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

/** FOLD-2. @throws FatalError STORE_DAMAGED */
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
