// Now
// What a session is said to do, for any mix of calls that wait, run and have ended.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CallRow, RequestRow, Timeline } from "../../../../adapters/panel/page/session/model.ts";
import { nowOf } from "../../../../adapters/panel/page/session/now/now.ts";

interface Told {
  readonly state: "queued" | "processing" | "completed" | "waits";
  /** The number of an earlier call, if the call is of its subagent. */
  readonly under: number | undefined;
}

const calls = fc
  .array(fc.record({ state: fc.constantFrom("queued", "processing", "completed", "waits"), up: fc.nat(8) }), {
    maxLength: 12,
  })
  .map((all): readonly Told[] =>
    all.map(({ state, up }, n) => ({ state, under: up === 0 || up > n ? undefined : n - up })),
  );

const depthOf = (all: readonly Told[], n: number): number => {
  const under = all[n]?.under;
  return under === undefined ? 0 : 1 + depthOf(all, under);
};

function rowsOf(all: readonly Told[]): readonly CallRow[] {
  return all.map(({ state, under }, n) => {
    const call = {
      id: `c${n}`,
      tool: "Bash",
      createdAt: n,
      execution: state === "waits" ? "queued" : state,
      ...(under !== undefined && { parentCallId: `c${under}` }),
      ...(state === "completed" && { closedAt: n + 1 }),
    };
    const waiting = state === "waits" ? { waiting: { askedAt: 100 - n } } : {};
    // The casts are safe: the model reads these fields alone.
    return { call, change: {}, depth: depthOf(all, n), isAround: false, ...waiting } as unknown as CallRow;
  });
}

const request = (state: string, all: readonly Told[], createdAt = 0): RequestRow => ({
  request: { requestId: `r${createdAt}`, state, waiting: false, createdAt, lastUpdatedAt: 0 },
  batches: [{ id: "b1", rows: rowsOf(all) }],
  calls: [],
  ...{ from: createdAt, to: createdAt + 50 },
});

const timeline = (requests: readonly RequestRow[], state = "running"): Timeline => ({
  session: { state, lastEvent: { type: "stop", at: 7 } } as unknown as Timeline["session"],
  requests,
});

describe("what a session does now", () => {
  it("NOW-1: what waits longest is told first, and how many more wait, whatever else runs", () => {
    fc.assert(
      fc.property(calls, (all) => {
        const now = nowOf(timeline([request("processing", all)]));
        const waiting = all.flatMap(({ state }, n) => (state === "waits" ? [n] : []));
        expect(now.kind === "waits").toBe(waiting.length > 0);
        if (now.kind !== "waits") return;
        // The later a call in the list, the earlier it asked.
        expect([now.call.id, now.others]).toEqual([`c${waiting.at(-1)}`, waiting.length - 1]);
      }),
    );
  });

  it("NOW-2: of what runs, no call is told that only waits for its subagent's, and none of those counts", () => {
    fc.assert(
      fc.property(calls, (all) => {
        const now = nowOf(timeline([request("processing", all)]));
        const running = all.flatMap(({ state }, n) => (state === "processing" ? [n] : []));
        const lowest = running.filter((n) => !running.some((each) => all[each]?.under === n));
        if (all.some(({ state }) => state === "waits")) return;
        expect(now.kind).toBe(running.length > 0 ? "runs" : "works");
        if (now.kind !== "runs") return;
        const told = Number(String(now.call.id).slice(1));
        expect(lowest).toContain(told);
        expect(now.others).toBe(lowest.length - 1);
        const deepest = Math.max(...lowest.map((n) => depthOf(all, n)));
        expect(told).toBe(lowest.findLast((n) => depthOf(all, n) === deepest));
      }),
    );
  });

  it("NOW-1: without a call that runs, a running request is told, then one that waits for its turn, then the last that ended", () => {
    const done = request("completed", [], 1);
    const kinds = (...requests: readonly RequestRow[]): string => nowOf(timeline(requests)).kind;
    expect(kinds()).toBe("new");
    expect(kinds(done)).toBe("rests");
    expect(kinds(done, request("queued", [], 2))).toBe("queued");
    expect(kinds(done, request("processing", [], 2), request("queued", [], 3))).toBe("works");
    expect(nowOf(timeline([done], "ended"))).toEqual({ kind: "ended", since: 7 });
    // A call that is still open in a request that has ended runs no more.
    expect(kinds(request("failed", [{ state: "processing", under: undefined }], 4))).toBe("rests");
  });
});
