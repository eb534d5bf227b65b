// Restart policy
// When an engine that ended is started again.

import { describe, expect, it } from "vitest";
import { FAILED, REFUSED, RestartPolicy } from "../adapters/cli/supervisor/policy.ts";

const QUICK = { code: null, signal: "SIGKILL", livedMs: 50 };
const LONG = { ...QUICK, livedMs: 60_000 };

describe("restart policy", () => {
  it.each([
    ["killed", { code: null, signal: "SIGKILL" }],
    ["out of a failed commit", { code: FAILED, signal: null }],
    ["by an error nobody caught", { code: 1, signal: null }],
  ])("U1: an engine that ended %s is started again", (_, ended) => {
    expect(new RestartPolicy().after({ ...ended, livedMs: 60_000 }, false)).toMatchObject({ do: "restart" });
  });

  it("U1: an engine that said why it cannot start is not started again", () => {
    const policy = new RestartPolicy();
    expect(policy.after({ code: REFUSED, signal: null, livedMs: 10 }, false)).toEqual({ do: "end", code: 1 });
  });

  it("U1: an engine that was asked to end, and did, ends the supervisor with 0", () => {
    expect(new RestartPolicy().after({ code: 0, signal: null, livedMs: 10 }, true)).toEqual({
      do: "end",
      code: 0,
    });
    expect(new RestartPolicy().after({ code: 0, signal: null, livedMs: 10 }, false)).toEqual({
      do: "end",
      code: 0,
    });
  });

  it("U2: five quick failures in a row are given up, with longer waits between them", () => {
    const policy = new RestartPolicy();
    const verdicts = Array.from({ length: 5 }, () => policy.after(QUICK, false));
    expect(verdicts.map((verdict) => verdict.do)).toEqual([
      "restart",
      "restart",
      "restart",
      "restart",
      "give-up",
    ]);
    const waits = verdicts.flatMap((verdict) => (verdict.do === "restart" ? [verdict.waitMs] : []));
    expect(waits).toEqual(waits.toSorted((a, b) => a - b));
    expect(new Set(waits).size).toBe(4);
  });

  it("U2: a child that lived for a while clears the count", () => {
    const policy = new RestartPolicy();
    const verdicts = [QUICK, QUICK, QUICK, LONG, QUICK, QUICK, QUICK].map(
      (ended) => policy.after(ended, false).do,
    );
    expect(verdicts).toEqual(Array.from({ length: 7 }, () => "restart"));
  });
});
