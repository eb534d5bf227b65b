// Paging
// Long lists, a bounded piece at a time, newest first.
//
//   Owns:          what a cursor is; how many rows one page may read.
//   Does not own:  which rows a list has (listing), what is shown of them (queries).
//
// Q1. A page reads at most 1,000 rows, however few of them fit.
// G9. A row that cannot be read hides itself and no other.
// Q2. Pages followed to the end show every row that was there from the first to the last of them exactly once.

import { InvariantViolation, RefusedError } from "./errors.ts";
import { after } from "./keys.ts";
import type { Store } from "./ports.ts";

export interface Slice {
  /** 1 to 1,000; 100 when not given. */
  readonly limit?: number;
  /** As an earlier page gave it. */
  readonly cursor?: string;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** There may be more: ask again with it. */
  readonly nextCursor?: string;
  /** Rows of this page that cannot be read. */
  readonly unreadable?: number;
}

/** Where a list begins and ends, as keys without its prefix. */
export interface Bounds<T> {
  readonly from?: string;
  readonly until?: string;
  /** True for an item that nothing older follows. */
  readonly isLast?: (item: T) => boolean;
}

export const ROWS_MAX = 1_000;
const LIMIT_DEFAULT = 100;

/**
 * @param prefix of the list's keys; what follows it sorts by time.
 * @param take what is shown of a row; undefined for one that does not fit.
 * @throws RefusedError BAD_LIMIT, BAD_CURSOR
 */
export function page<T>(
  store: Pick<Store, "range">,
  prefix: string,
  slice: Slice,
  take: (value: string, key: string) => T | undefined,
  bounds: Bounds<T> = {},
): Page<T> {
  const limit = limitOf(slice);
  const cursor = slice.cursor === undefined ? undefined : readCursor(slice.cursor);
  const gte = prefix + (bounds.from ?? "");
  const ends = [cursor, bounds.until].flatMap((end) => (end === undefined ? [] : [prefix + end]));
  const lt = ends.reduce((first, end) => (end < first ? end : first), after(prefix));
  const items: T[] = [];
  let rows = 0;
  let unreadable = 0;
  let last = "";
  const done = (more: boolean): Page<T> => ({
    items,
    ...(more && { nextCursor: writeCursor(last) }),
    ...(unreadable > 0 && { unreadable }),
  });
  for (const [key, value] of store.range({ gte, lt, limit: ROWS_MAX + 1, reverse: true })) {
    if (items.length === limit || rows === ROWS_MAX) return done(true);
    rows += 1;
    last = key.slice(prefix.length);
    try {
      const item = take(value, key);
      if (item === undefined) continue;
      items.push(item);
      if (bounds.isLast?.(item)) break;
    } catch (error) {
      if (!(error instanceof InvariantViolation)) throw error;
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

const writeCursor = (end: string): string => Buffer.from(end).toString("base64url");

/** A time or number of 16 digits, and whose row it is. */
const CURSOR = /^\d{16}(\/[A-Za-z0-9_/-]{1,700})?$/;

function readCursor(cursor: string): string {
  const end = Buffer.from(cursor, "base64url").toString("latin1");
  if (CURSOR.test(end)) return end;
  throw new RefusedError(
    "BAD_CURSOR",
    "The cursor is not one this list gave.",
    "Begin again without a cursor.",
    "cursor",
  );
}
