// Pages
// Reads the rows of a table some at a time, so that no reading is held open while others run.
//
//   Owns:          going on behind the last row.
//   Does not own:  what the rows say.

import type { Store } from "../ports.ts";

const ROWS_AT_ONCE = 256;

/** The rows of a store that is only read. */
export type Found = Pick<Store, "get" | "range">;

/** Every row with `gte` <= key < `lt`, in order. */
export function* rowsFrom(
  found: Found,
  gte: string,
  lt: string,
): Generator<readonly [string, string], undefined> {
  for (let from = gte; ;) {
    const rows = [...found.range({ gte: from, lt, limit: ROWS_AT_ONCE })];
    yield* rows;
    const last = rows.at(-1);
    if (!last) return undefined;
    // The space is the first character allowed in a key: no key lies between a key and this one.
    from = `${last[0]} `;
  }
}
