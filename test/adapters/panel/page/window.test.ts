// Window
// Which part of a session is drawn, before and after more of it was read.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CallRow, RequestRow } from "../../../../adapters/panel/page/session/model.ts";
import { firstRow, ROOM, type Shown, shownOf } from "../../../../adapters/panel/page/session/window.ts";

/** A session as the lengths of its batches, request by request. */
const sessions = fc.array(fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 6 }), {
  minLength: 1,
  maxLength: 5,
});

/** The newest calls of a session. */
function requestsOf(session: readonly (readonly number[])[], newest: number): readonly RequestRow[] {
  let n = 0;
  const all = session.map((lengths, request) => ({
    request: { requestId: `r${request}` },
    batches: lengths.map((length, batch) => ({
      id: `r${request}-b${batch}`,
      rows: Array.from({ length }, () => ({ call: { id: `c${n++}` }, depth: 0 }) as unknown as CallRow),
    })),
  }));
  const isRead = ({ call }: CallRow): boolean => Number(String(call.id).slice(1)) >= n - newest;
  return all.flatMap((row) => {
    const batches = row.batches
      .map(({ id, rows }) => ({ id, rows: rows.filter(isRead) }))
      .filter(({ rows }) => rows.length > 0);
    // The cast is safe: the window reads these fields alone.
    return batches.length === 0 ? [] : [{ ...row, batches } as unknown as RequestRow];
  });
}

const idsIn = ({ requests }: Shown): readonly string[] =>
  requests.flatMap(({ batches }) => batches.flatMap(({ rows }) => rows.map(({ call }) => String(call.id))));

describe("the part of a session that is drawn", () => {
  it("WINDOW-2: once more was read, the rows that were drawn are still the first ones, and older requests follow", () => {
    fc.assert(
      fc.property(sessions, fc.integer({ min: 1, max: 40 }), (session, newest) => {
        const before = requestsOf(session, newest);
        const first = firstRow(before);
        const drawn = idsIn(shownOf(before, ROOM, undefined));
        const all = requestsOf(session, Infinity);
        const later = shownOf(all, ROOM, undefined, first);
        expect(idsIn(later).slice(0, drawn.length)).toEqual(drawn);
        const hidden = later.requests.reduce((sum, each) => sum + each.hidden, 0);
        expect(idsIn(later).length + hidden).toBe(session.flat().reduce((sum, each) => sum + each));
        expect(idsIn(shownOf(all, ROOM, undefined))).toHaveLength(session.flat().reduce((a, b) => a + b));
      }),
    );
  });

  it("WINDOW-1, WINDOW-2: the chosen call is drawn, also one above the first", () => {
    const all = requestsOf([[3, 3]], Infinity);
    const ids = (chosen?: string) => idsIn(shownOf(all, ROOM, chosen, "c4"));
    expect(ids()).toEqual(["c4", "c5"]);
    expect(ids("c1")).toEqual(["c1", "c2", "c3", "c4", "c5"]);
  });
});
