// Bounds
// At which millisecond a request hangs, ends by its own limit, or is dated anew; and what no write takes back.

import { describe, expect, it } from "vitest";
import { datedAnew } from "../../../adapters/request-files/dating.ts";
import type { StateFile } from "../../../adapters/request-files/format.ts";
import { opened, overdue, updated } from "../../../adapters/request-files/lifecycle.ts";

const T0 = 1_800_000_000_000;
const DAY_MS = 86_400_000;
const LIMITS = { hungAfterMs: 60_000, keepMs: DAY_MS };

const fresh = (more: object = {}): StateFile =>
  opened({ requestId: "r1", chatId: "c1", workspace: "w", ...more }, T0, LIMITS);
const running = (more: object = {}): StateFile =>
  updated(fresh(more), { state: "processing" }, T0 + 1_000, LIMITS);

describe("a request that runs", () => {
  it("LIFECYCLE-4: hangs at the end of its time of silence, and not a millisecond before", () => {
    const at = T0 + 1_000 + LIMITS.hungAfterMs;
    expect(overdue(running(), at - 1, LIMITS)).toBeUndefined();
    expect(overdue(running(), at, LIMITS)?.request).toMatchObject({ state: "timeout", timedOut: true });
  });

  it("LIFECYCLE-4: ends at its own limit, and not a millisecond before", () => {
    const file = running({ timeoutAt: T0 + 5_000 });
    expect(overdue(file, T0 + 4_999, LIMITS)).toBeUndefined();
    expect(overdue(file, T0 + 5_000, LIMITS)?.request.state).toBe("timeout");
  });

  it("LIFECYCLE-4: that has ended neither hangs nor ends again", () => {
    const file = updated(running(), { state: "completed" }, T0 + 2_000, LIMITS);
    expect(overdue(file, T0 + 30 * DAY_MS, LIMITS)).toBeUndefined();
  });

  it("LIFECYCLE-3: a clock that went back takes no time back, and each write has the next number", () => {
    const before = running();
    const after = updated(before, { tokens: 1 }, T0 - DAY_MS, LIMITS);
    expect(after.request.lastUpdatedAt).toBe(before.request.lastUpdatedAt);
    expect([fresh().generation, before.generation, after.generation]).toEqual([1, 2, 3]);
  });
});

describe("a request beside a clock that is far away", () => {
  it("DATING-1: is believed up to 35 days ahead and behind, and not a millisecond more", () => {
    const file = running();
    const { lastUpdatedAt: last } = file.request;
    for (const way of [-1, 1]) {
      expect(datedAnew(file, last + way * 35 * DAY_MS)).toBeUndefined();
      const now = last + way * (35 * DAY_MS + 1);
      expect(datedAnew(file, now)?.request.lastUpdatedAt).toBe(now);
    }
  });
});
