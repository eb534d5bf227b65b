// Paging
// Reads a long list in pages of bounded size, newest first unless the query says otherwise.
//
//   Owns:          the form of a cursor; how many rows may be read for one page.
//   Does not own:  which rows a list has (listing), what is shown of a row (queries).
//
// PAGING-1. For one page at most 1,000 rows are read, however few of them match the query.
// G9. An unreadable row is left out of the page and reported; all other rows are shown.
// PAGING-2. All pages together show each row exactly once, if the row exists from the first page to the last.

import { RefusedError } from "../errors/errors.ts";
import { after } from "../rows/keys.ts";
import type { Store } from "../ports.ts";

export interface Slice {
  /** How many items the page has at most: 1 to 1,000; default 100. */
  readonly limit?: number;
  /** The `nextCursor` of an earlier page in the same order. */
  readonly cursor?: string;
  readonly order?: "newest" | "oldest";
}

export interface Page<T> {
  readonly items: readonly T[];
  /** Present if there may be more rows. The query for the next page passes it as `cursor`. */
  readonly nextCursor?: string;
  /** How many rows of this page cannot be read. */
  readonly unreadable?: number;
}

/** Yields rows in the wanted order, each with its place. If `place` is given, yields only the rows after that place. */
export type Rows<V = string> = (
  place: string | undefined,
  order?: Slice["order"],
) => Iterable<readonly [place: string, value: V]>;

export interface Bounds {
  readonly from?: string;
  readonly until?: string;
}

const ROWS_MAX = 1_000;
const LIMIT_DEFAULT = 100;

/** The rows under a prefix. The place of a row is the rest of its key. */
export function rowsUnder(store: Pick<Store, "range">, prefix: string, bounds: Bounds = {}): Rows {
  const from = prefix + (bounds.from ?? "");
  const until = bounds.until === undefined ? after(prefix) : prefix + bounds.until;
  return function* (place, order) {
    const isForward = order === "oldest";
    // Reading goes on after `place`. With a space at its end, `place` sorts before every later place, because a space sorts
    // before any other character of a key.
    const at = place === undefined ? undefined : isForward ? `${prefix}${place} ` : prefix + place;
    const gte = isForward && at !== undefined && at > from ? at : from;
    const lt = !isForward && at !== undefined && at < until ? at : until;
    for (const [key, value] of store.range({ gte, lt, limit: ROWS_MAX + 1, reverse: !isForward }))
      yield [key.slice(prefix.length), value];
  };
}

/** Merges lists whose places are ordered in the same way. Each place may be in only one of the lists. */
export function mergedRows<V>(lists: readonly Rows<V>[]): Rows<V> {
  const [only, ...others] = lists;
  if (only && others.length === 0) return only;
  return function* (place, order) {
    const open = lists.map((rows) => rows(place, order)[Symbol.iterator]());
    const isFirst = (one: string, other: string): boolean => (order === "oldest" ? one < other : one > other);
    try {
      const heads = open.map((rows) => rows.next());
      for (;;) {
        let next: readonly [place: string, value: V] | undefined;
        let from = 0;
        for (const [at, { done, value }] of heads.entries())
          if (done !== true && (next === undefined || isFirst(value[0], next[0]))) [next, from] = [value, at];
        const rows = open[from];
        if (next === undefined || rows === undefined) return;
        yield next;
        heads[from] = rows.next();
      }
    } finally {
      for (const rows of open) rows.return?.();
    }
  };
}

/** Called with the place of a row that cannot be read, and the reason. */
export type Lost = (place: string, error: unknown) => void;

/**
 * Makes a function that reports an unreadable row by its full key. To find the key, it tries each prefix with the row's place.
 */
export const lostUnder =
  (
    store: Pick<Store, "get">,
    prefixes: readonly string[],
    defects: { ofRow(key: string, error: unknown): void },
  ): Lost =>
  (place, error) => {
    const prefix = prefixes.find((each) => store.get(each + place) !== undefined) ?? "";
    defects.ofRow(prefix + place, error);
  };

/** @param take makes an item from a row; undefined if the row does not match. @throws RefusedError BAD_LIMIT, BAD_CURSOR */
export function page<T, V = string>(
  rows: Rows<V>,
  slice: Slice,
  take: (value: V) => T | undefined,
  lost: Lost,
): Page<T> {
  const limit = limitOf(slice);
  const items: T[] = [];
  let read = 0;
  let unreadable = 0;
  let last = "";
  const done = (more: boolean): Page<T> => ({
    items,
    ...(more && { nextCursor: writeCursor(last) }),
    ...(unreadable > 0 && { unreadable }),
  });
  const behind = slice.cursor === undefined ? undefined : readCursor(slice.cursor);
  for (const [place, value] of rows(behind, slice.order)) {
    if (items.length === limit || read === ROWS_MAX) return done(true);
    read += 1;
    last = place;
    try {
      const item = take(value);
      if (item !== undefined) items.push(item);
    } catch (error) {
      lost(place, error);
      unreadable += 1;
    }
  }
  return done(false);
}

/** @throws RefusedError BAD_LIMIT */
export function limitOf({ limit = LIMIT_DEFAULT }: Slice): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= ROWS_MAX) return limit;
  throw new RefusedError(
    "BAD_LIMIT",
    `The limit is not a whole number from 1 to ${ROWS_MAX}.`,
    "Ask for fewer rows and follow nextCursor.",
    "limit",
  );
}

export const writeCursor = (end: string): string => Buffer.from(end).toString("base64url");

/**
 * Matches a cursor: a time or number of 16 digits, and the rest of a key. The cursor of the list of a session's calls has two
 * such parts (session-calls).
 */
const CURSOR = /^\d{16}(-\d{3}|\/[A-Za-z0-9_/-]{1,700})?(~\d{16}\/[A-Za-z0-9_-]{1,128})?$/;

/** @returns the place of the last row of the earlier page. @throws RefusedError BAD_CURSOR */
export function readCursor(cursor: string): string {
  const end = Buffer.from(cursor, "base64url").toString("latin1");
  if (CURSOR.test(end)) return end;
  throw badCursor();
}

export const badCursor = (): RefusedError =>
  new RefusedError(
    "BAD_CURSOR",
    "The cursor is not from this list.",
    "Begin again without a cursor.",
    "cursor",
  );
