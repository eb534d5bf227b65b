// Following
// Reads the change log for a follower from a given place on, oldest change first, in pages of limited size.
//
//   Owns:          the form of a place in the change log, recognising a place that is no longer valid, selecting changes.
//   Does not own:  writing the log (turn), removing changes (sweep), waiting for new changes (the caller).
//   Decided in:    docs/decisions/0034-followers-keep-their-place.md.
//
// FOLLOWING-1. For one page at most 1,000 rows are read, however few of their changes the follower wants. A page ends when it has
//     more than 256 KiB of text.
// FOLLOWING-2. A reader that reads page after page from a place gets every wanted change after the place once, in order. If
//     changes may be missing, the page says so (`gap`).
// G9. If a row of the change log is unreadable, only the changes in this row are missing from a page, and the row is counted.

import { changesOfRow, type LogRow, rowsAfter } from "../rows/change-log.ts";
import type { StateChange } from "../rows/changes.ts";
import type { Engine } from "../engine/engine.ts";
import { RefusedError } from "../errors/errors.ts";
import { keys } from "../rows/keys.ts";
import { limitOf, type Lost } from "./paging.ts";
import type { Store } from "../ports.ts";

/** Selects changes of the log. A field that is left out matches any value. */
export interface FollowWish {
  readonly workspace?: string;
  readonly session?: string;
  readonly entity?: string;
  readonly id?: string;
  readonly state?: string;
}

/**
 * Why changes may be missing before the first change of a page.
 * - `trimmed`: some changes after the place were removed from the log.
 * - `rolled-back`: the log ends before the place, as after an older state of the store was restored.
 * - `replaced`: the place belongs to another log. The present log is then read from its start.
 */
export type LogGap = "trimmed" | "rolled-back" | "replaced";

export interface ChangePage {
  readonly items: readonly StateChange[];
  /** The place after which the changes of the page begin. */
  readonly from: string;
  /** The place after which the next page begins. */
  readonly next: string;
  /** True if there are more changes already. */
  readonly more: boolean;
  readonly gap?: LogGap;
  /** How many changes between `from` and `next` are damaged or missing. A damaged change may be of any session. */
  readonly unreadable?: number;
}

const ROWS_MAX = 1_000;
const TEXT_MAX = 256 * 1024;
const START = "start";

/**
 * @param after a place from a page or from a change, as `<incarnation>-<n>`; `start` for all changes; undefined for changes from
 * now on.
 * @param lost called with each row that cannot be read.
 * @throws RefusedError BAD_CURSOR, BAD_LIMIT
 */
export function changesAfter(
  engine: Pick<Engine, "incarnation" | "meta" | "store">,
  wish: FollowWish,
  { after, limit }: { readonly after?: string; readonly limit?: number },
  lost: Lost,
): ChangePage {
  const most = limitOf(limit === undefined ? {} : { limit });
  const { incarnation, store } = engine;
  const { changes: newest, changesFrom: oldest } = engine.meta();
  const begin = beginAt(after, { incarnation, oldest, newest });
  const { items, at, unreadable } = read(store, wish, { at: begin.at, most, newest }, lost);
  return {
    items,
    from: `${incarnation}-${begin.at}`,
    next: `${incarnation}-${at}`,
    more: at < newest,
    ...(begin.gap && { gap: begin.gap }),
    ...(unreadable > 0 && { unreadable }),
  };
}

interface Begun {
  readonly at: number;
  readonly most: number;
  readonly newest: number;
}

interface Piece {
  readonly items: readonly StateChange[];
  /** The number of the last change that was read. */
  readonly at: number;
  readonly unreadable: number;
}

function read(store: Store, wish: FollowWish, { at: from, most, newest }: Begun, lost: Lost): Piece {
  const items: StateChange[] = [];
  let [at, rows, text, unreadable] = [from, 0, 0, 0];
  for (const row of rowsAfter(store, from, newest, ROWS_MAX)) {
    if (items.length === most || text > TEXT_MAX) return { items, at, unreadable };
    rows += 1;
    // Changes are numbered without gaps, so a number that is in no row belongs to a lost change.
    const missing = Math.max(0, (row.first ?? at + 1) - at - 1);
    unreadable += missing;
    at += missing;
    try {
      for (const change of wanted(row, at, wish)) {
        if (items.length === most || text > TEXT_MAX) return { items, at, unreadable };
        items.push(change);
        text += row.text.length;
        at = change.n;
      }
    } catch (error) {
      lost(row.key.slice(keys.changes.length), error);
      unreadable += row.last - at;
    }
    at = row.last;
  }
  // If fewer rows than ROWS_MAX were read, the log has no further row. Numbers from the last row to `newest` then belong to
  // lost changes.
  return rows < ROWS_MAX
    ? { items, at: newest, unreadable: unreadable + newest - at }
    : { items, at, unreadable };
}

/** A place in a change log: the log's name, and the number of a change. */
export interface LogPlace {
  readonly log: string;
  readonly n: number;
}

/** @param id as `<log>-<n>`. @returns undefined if it has another form. */
export function placeIn(id: string): LogPlace | undefined {
  const [, log, digits] = /^(.{1,200})-(\d{1,15})$/.exec(id) ?? [];
  return log === undefined ? undefined : { log, n: Number(digits) };
}

interface Log {
  readonly incarnation: string;
  /** The number of the last change that was removed. */
  readonly oldest: number;
  readonly newest: number;
}

/** @throws RefusedError BAD_CURSOR */
function beginAt(after: string | undefined, log: Log): { readonly at: number; readonly gap?: LogGap } {
  const { incarnation, oldest, newest } = log;
  if (after === undefined) return { at: newest };
  if (after === START) return { at: oldest };
  const place = placeIn(after);
  if (!place) throw badCursor(after);
  if (place.log !== incarnation) return { at: oldest, gap: "replaced" };
  const at = place.n;
  if (at > newest) return { at: newest, gap: "rolled-back" };
  return at < oldest ? { at: oldest, gap: "trimmed" } : { at };
}

/**
 * The wanted changes of a row, after the change `at`. The row's text is searched first, so that most changes of other
 * workspaces need no parsing.
 */
function wanted(
  row: LogRow,
  at: number,
  { workspace, session, entity, id, state }: FollowWish,
): readonly StateChange[] {
  // If a row's first number cannot be read, the row is damaged. The damage may have hit the workspace's name, so the row is
  // parsed although its text does not contain the name.
  const isOfOther = row.first !== undefined && !row.text.includes(JSON.stringify(workspace));
  if (workspace !== undefined && isOfOther) return [];
  return changesOfRow(
    row,
    (change) =>
      change.n > at &&
      (workspace ?? change.workspace) === change.workspace &&
      (session ?? change.sessionId) === change.sessionId &&
      (entity ?? change.entity) === change.entity &&
      (id ?? change.id) === change.id &&
      (state ?? change.to) === change.to,
  );
}

const badCursor = (text: string): RefusedError =>
  new RefusedError(
    "BAD_CURSOR",
    `${JSON.stringify(text.slice(0, 60))} is not a place in the change log.`,
    "Send a place from a page or a change, `start` for all changes, or nothing to begin with the next change.",
    "after",
  );
