// Row pages
// Reads a range of rows a page at a time, so that no iterator of the store stays open while other work runs.
//
//   Owns:          continuing after the last row of a page; letting other work run between two pages, if the reader wants it.
//   Does not own:  what the rows contain.

import { setImmediate as nextTick } from "node:timers/promises";
import type { Range, Store } from "../ports.ts";

/** A store that is only read. */
export type StoredRows = Pick<Store, "get" | "range">;

type Row = readonly [key: string, text: string];

/** Yields the pages of a range; none is empty. Each page is read only when the caller asks for it. */
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
    // Reading goes on after the last key. With a space at its end, the last key sorts before every later key, because a space
    // sorts before any other character of a key.
    next = range.reverse === true ? { ...range, lt: last[0] } : { ...range, gte: `${last[0]} ` };
  }
}

/** Yields the pages of a range, and lets other work run after each page. @param isOver returns true to stop before a page. */
export async function* pagesAside(
  store: Pick<Store, "range">,
  range: Range & { readonly limit: number },
  isOver: () => boolean = () => false,
): AsyncGenerator<readonly Row[], undefined> {
  if (isOver()) return undefined;
  for (const rows of rowPages(store, range)) {
    yield rows;
    await nextTick();
    if (isOver()) return undefined;
  }
  return undefined;
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
