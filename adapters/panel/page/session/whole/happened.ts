// Happened
// Collects what a session's line of time shows: requests, calls, waits for answers, and the gaps between events.
//
//   Owns:          when each request, call, wait and gap began and ended.
//   Does not own:  where a moment is on the line of time (spread.ts).

import type { StateChange } from "../../../../../runtime/rows/changes.ts";
import type { ApprovalView, CallView } from "../../../../../runtime/rows/views.ts";
import { type RequestRow, rowsOf, type Timeline } from "../model.ts";
import type { Gap } from "./spread.ts";

export interface Band {
  readonly row: RequestRow;
  readonly from: number;
  readonly to: number;
}

export interface Mark {
  readonly call: CallView;
  readonly band: Band;
  readonly isAsking: boolean;
  readonly from: number;
  readonly to: number;
}

export interface Wait {
  readonly call: string | undefined;
  readonly from: number;
  readonly to: number;
  readonly isOpen: boolean;
}

export interface Happened {
  readonly bands: readonly Band[];
  readonly marks: readonly Mark[];
  readonly waits: readonly Wait[];
  readonly gaps: readonly Gap[];
}

export const isOpen = ({ request: { state, completedAt } }: RequestRow): boolean =>
  completedAt === undefined && ["created", "queued", "processing"].includes(state);

/**
 * @param changes the changes that the timeline was made from.
 * @param end where the line ends, ms.
 * @param isPart true if the page has not read the earlier changes.
 */
export function happenedIn(
  { session, requests }: Timeline,
  changes: readonly StateChange[],
  end: number,
  isPart: boolean,
): Happened {
  const bands = requests.map((row): Band => ({ row, from: row.from, to: isOpen(row) ? end : row.to }));
  const marks = bands.flatMap(marksOf);
  const waits = waitsIn(changes, end);
  const times = [...bands, ...marks, ...waits].flatMap(({ from, to }) => [from, to]);
  // The timeline begins at the session's first change, which may come before the first request.
  times.push(...changes.slice(0, 1).map(({ at }) => at));
  const gaps = gapsBetween([...times, end], bands);
  const [first] = gaps;
  const begun = session?.startedAt ?? session?.createdAt;
  if (!first || !isPart || begun === undefined || begun >= first.from) return { bands, marks, waits, gaps };
  return { bands, marks, waits, gaps: [{ from: begun, to: first.from, kind: "unread" }, ...gaps] };
}

export const lastTime = (requests: readonly RequestRow[], changes: readonly StateChange[]): number =>
  Math.max(0, ...requests.map(({ to }) => to), changes.at(-1)?.at ?? 0);

function marksOf(band: Band): readonly Mark[] {
  return rowsOf(band.row).map(({ call, waiting }) => {
    const from = call.startedAt ?? call.createdAt;
    const to = call.closedAt ?? (isOpen(band.row) ? band.to : from);
    return { call, band, isAsking: waiting !== undefined, from, to };
  });
}

function waitsIn(changes: readonly StateChange[], end: number): readonly Wait[] {
  const waits = new Map<string, Wait>();
  for (const { entity, id, to: state, at, view } of changes) {
    if (entity !== "approval") continue;
    // The cast is safe: the view in a change is a view of the entity that the change names (runtime/rows/changes).
    const { callId } = view as ApprovalView;
    const isPending = state === "pending";
    const before = waits.get(id);
    // Skips a change of an approval that has ended already, and the end of an approval of which no pending state was read.
    if (before ? !before.isOpen : !isPending) continue;
    const from = before?.from ?? at;
    waits.set(id, { call: callId, from, to: isPending ? end : at, isOpen: isPending });
  }
  return [...waits.values()];
}

function gapsBetween(all: readonly number[], bands: readonly Band[]): readonly Gap[] {
  const times = [...new Set(all)].sort((a, b) => a - b);
  const running = bands.toSorted((a, b) => a.from - b.from);
  let [next, until] = [0, -Infinity];
  return times.slice(1).map((to, index): Gap => {
    const from = times[index] ?? to;
    for (let band = running[next]; band && band.from <= from; band = running[++next])
      until = Math.max(until, band.to);
    return { from, to, kind: until > from ? "run" : "pause" };
  });
}
