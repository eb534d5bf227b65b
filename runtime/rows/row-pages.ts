// Row pages
// Reads a range of rows a page at a time, so that no iterator of the store stays open while other work runs.
//
//   Owns:          continuing after the last row of a page.
//   Does not own:  what the rows contain, letting other work run between two pages (each reader).

import type { Range, Store } from "../ports.ts";

/** A store that is only read. */
export type StoredRows = Pick<Store, "get" | "range">;

type Row = readonly [key: string, text: string];

/** Yields the pages of a range, never an empty page. Each page is read only when the caller asks for it. */
export function* rowPages(
  store: Pick<Store, "range">,
  range: Range & { readonly limit: number },
): Generator<readonly Row[], undefined> {
  for (let next = range; ;) {
    const rows = [...store.range(next)];
    const last = rows.at(-1);
    if (!last) return undefined;
    yield rows;
    if (rows.length < range.limit) return undefined;
    // A space sorts before any other character of a key, so the last key with a space at its end comes before every later key.
    next = range.reverse === true ? { ...range, lt: last[0] } : { ...range, gte: `${last[0]} ` };
  }
}

const ROWS_AT_ONCE = 256;

/** Yields every row with `gte` <= key < `lt`, in order. */
export function* rowsBetween(
  store: Pick<Store, "range">,
  gte: string,
  lt: string,
): Generator<Row, undefined> {
  for (const rows of rowPages(store, { gte, lt, limit: ROWS_AT_ONCE })) yield* rows;
  return undefined;
}
