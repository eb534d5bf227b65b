// Restart policy
// When an engine that ended is started again.

import { describe, expect, it } from "vitest";
import { FAILED, HANDED_OVER, REFUSED, RestartPolicy } from "../../../../adapters/cli/supervisor/policy.ts";

const QUICK = { code: null, signal: "SIGKILL", livedMs: 50 };
const LONG = { ...QUICK, livedMs: 60_000 };

describe("restart policy", () => {
  it.each([
    ["killed", { code: null, signal: "SIGKILL" }],
    ["out of a failed commit", { code: FAILED, signal: null }],
    ["by an error nobody caught", { code: 1, signal: null }],
  ])("POLICY-1: an engine that ended %s is started again", (_, ended) => {
    expect(new RestartPolicy().after({ ...ended, livedMs: 60_000 }, false)).toMatchObject({ do: "restart" });
  });

  it("POLICY-1: an engine that said why it cannot start is not started again", () => {
    const policy = new RestartPolicy();
    expect(policy.after({ code: REFUSED, signal: null, livedMs: 10 }, false)).toEqual({ do: "end", code: 1 });
  });

  it("POLICY-1: an engine that ended as asked ends the supervisor with 0", () => {
    expect(new RestartPolicy().after({ code: 0, signal: null, livedMs: 10 }, true)).toEqual({
      do: "end",
      code: 0,
    });
    expect(new RestartPolicy().after({ code: 0, signal: null, livedMs: 10 }, false)).toEqual({
      do: "end",
      code: 0,
    });
  });

  it("POLICY-2: after eight quick failures in a row it gives up; the waits between them grow, to two seconds at most", () => {
    const policy = new RestartPolicy();
    const verdicts = Array.from({ length: 8 }, () => policy.after(QUICK, false));
    const restarts = Array.from({ length: 7 }, () => "restart");
    expect(verdicts.map((verdict) => verdict.do)).toEqual([...restarts, "give-up"]);
    const waits = verdicts.flatMap((verdict) => (verdict.do === "restart" ? [verdict.waitMs] : []));
    expect(waits).toEqual(waits.toSorted((a, b) => a - b));
    expect(new Set(waits).size).toBeGreaterThan(4);
    expect(waits.at(-1)).toBe(2_000);
  });

  it("POLICY-2, G17: an entry set aside clears the count: it will end no further process", () => {
    const policy = new RestartPolicy();
    for (let failures = 0; failures < 7; failures += 1) policy.after(QUICK, false);
    policy.mended();
    const verdicts = Array.from({ length: 8 }, () => policy.after(QUICK, false).do);
    expect(verdicts.indexOf("give-up")).toBe(7);
  });

  it("POLICY-3: a child that handed over is started again at once, however often", () => {
    const policy = new RestartPolicy();
    for (let times = 0; times < 20; times += 1) {
      const verdict = policy.after({ code: HANDED_OVER, signal: null, livedMs: 50 }, false);
      expect(verdict).toMatchObject({ do: "restart", waitMs: 0 });
    }
    expect(policy.after(QUICK, false)).toMatchObject({ do: "restart", waitMs: 200 });
  });

  it("POLICY-2: a child that lived for a while clears the count", () => {
    const policy = new RestartPolicy();
    const verdicts = [QUICK, QUICK, QUICK, LONG, QUICK, QUICK, QUICK].map(
      (ended) => policy.after(ended, false).do,
    );
    expect(verdicts).toEqual(Array.from({ length: 7 }, () => "restart"));
  });
});
