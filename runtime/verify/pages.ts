// Pages
// Reads the rows of a table a page at a time, so that no iterator stays open while other work runs.
//
//   Owns:          continuing after the last row.
//   Does not own:  what the rows contain.

import type { Store } from "../ports.ts";

const ROWS_AT_ONCE = 256;

/** A store that is only read. */
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
    // A space sorts before any other character of a key, so no key lies between a key and the same key with a space.
    from = `${last[0]} `;
  }
}
