// Counts
// How many actors are in each state, counted row by row.
//
//   Owns:          reading them from the lists, and the meta row's counts beside them.
//   Does not own:  the lists.

import { keys } from "../../../runtime/rows/keys.ts";
import type { Meta } from "../../../runtime/rows/meta.ts";

type Counts = Readonly<Record<string, number>>;

/** @returns by kind and state: the rows of each list, and the count; empty lists are left out. */
export function countsIn(rows: ReadonlyMap<string, string>): {
  readonly listed: Counts;
  readonly counted: Counts;
} {
  const listed: Record<string, number> = {};
  for (const key of rows.keys()) {
    const [, kind = "", state = ""] = /^list\/(\w+)\/state\/(\w+)\//.exec(key) ?? [];
    if (kind !== "") listed[`${kind}/${state}`] = (listed[`${kind}/${state}`] ?? 0) + 1;
  }
  const { counts } = JSON.parse(rows.get(keys.meta) ?? "") as Meta;
  return { listed, counted: Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0)) };
}
