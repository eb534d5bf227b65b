// Window
// How much of a session is on the page at once: its newest part, and more on demand.
//
//   Owns:          choosing that part.
//   Does not own:  the rows (model.ts), how they look (timeline.tsx), how much of the log was read (history).
//
// WINDOW-1. At most `room` rows are drawn, with two exceptions: a call is always drawn with its subagents' calls, and
//     the chosen call is always drawn.
// WINDOW-2. Calls that are read later are not drawn above the row that was first: they wait behind a button, so that no row
//     moves away.

import { weightOf } from "./folds.ts";
import type { BatchRow, CallRow, RequestRow } from "./model.ts";

/** How many rows are on the page at first, and how many are added each time. */
export const ROOM = 200;

export interface ShownRow extends RequestRow {
  /** How many earlier calls of the request are not shown. */
  readonly hidden: number;
}

/** The part that is shown, the newest request first. */
export interface Shown {
  readonly requests: readonly ShownRow[];
  /** How many earlier requests are not shown. */
  readonly hidden: number;
}

/** The id of the first call: in its request, no row is drawn above it (WINDOW-2). @param requests read first, oldest first. */
export const firstRow = (requests: readonly RequestRow[]): string | undefined =>
  requests[0]?.batches[0]?.rows[0]?.call.id;

/**
 * Chooses the part of a session to show (WINDOW-1).
 * @param requests oldest first.
 * @param room how many rows may be drawn: each request and each call is one.
 * @param chosen the id of a call that must be drawn.
 * @param first the id of the call that is the first of its request to be drawn (WINDOW-2).
 */
export function shownOf(
  requests: readonly RequestRow[],
  room: number,
  chosen: string | undefined,
  first?: string,
): Shown {
  const shown: ShownRow[] = [];
  const isChosen = ({ call }: CallRow): boolean => call.id === chosen;
  let left = room;
  let isSought = requests.some(({ batches }) => batches.some(({ rows }) => rows.some(isChosen)));
  const hasRoom = (): boolean => left > 0 || isSought;
  for (const request of requests.toReversed()) {
    if (!hasRoom()) break;
    left -= 1;
    const batches: BatchRow[] = [];
    let hidden = 0;
    let isFirst = false;
    for (const { id, rows } of request.batches.toReversed()) {
      let from = rows.length;
      while (from > 0 && (isFirst ? isSought : hasRoom())) {
        const end = from;
        do from -= 1;
        while (from > 0 && rows[from]?.depth !== 0);
        left -= end - from;
        const drawn = rows.slice(from, end);
        if (drawn.some(isChosen)) isSought = false;
        isFirst ||= drawn.some(({ call }) => call.id === first);
      }
      hidden += rows.slice(0, from).reduce((sum, row) => sum + weightOf(row), 0);
      if (from < rows.length) batches.push({ id, rows: rows.slice(from) });
    }
    shown.push({ ...request, batches: batches.reverse(), hidden });
  }
  return { requests: shown, hidden: requests.length - shown.length };
}
