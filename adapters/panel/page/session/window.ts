// Window
// Decides how much of a session the page draws: at first its newest part, and more when a person asks for it.
//
//   Owns:          choosing which part of a session is drawn.
//   Does not own:  the rows (model.ts), how rows look (timeline.tsx), how much of the change log was read (history).
//
// WINDOW-1. At most `room` rows are drawn, except that a call is always drawn together with its subagents' calls, and that the
//     chosen call is always drawn.
// WINDOW-2. The page reads earlier calls after its first drawing. It does not draw them above the row that was first until then:
//     they appear only when a person presses a button, so that no row moves by itself.

import { weightOf } from "./folds.ts";
import { type BatchRow, type CallRow, type RequestRow, rowsOf } from "./model.ts";

/** How many rows are drawn at first, and how many more each time a person asks for more. */
export const ROOM = 200;

export interface ShownRow extends RequestRow {
  /** How many earlier calls of the request are not shown. */
  readonly hidden: number;
}

/** The part of the session that is shown, the newest request first. */
export interface Shown {
  readonly requests: readonly ShownRow[];
  /** How many earlier requests are not shown. */
  readonly hidden: number;
}

/**
 * The id of the call above which no row of its request is drawn (WINDOW-2): the first call on the page at its first drawing.
 * @param requests the requests at that drawing, oldest first.
 */
export const firstRow = (requests: readonly RequestRow[]): string | undefined =>
  requests[0]?.batches[0]?.rows[0]?.call.id;

/**
 * @param requests the requests, oldest first.
 * @param room how many rows may be drawn: each request and each call is one.
 * @param chosen the id of a call that must be drawn.
 * @param first what `firstRow` found.
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
  let isSought = requests.flatMap(rowsOf).some(isChosen);
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
