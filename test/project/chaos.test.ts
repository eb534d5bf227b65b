// Chaos
// The judge of `npm run chaos:gate` finds what it is there to find.

import { describe, expect, it } from "vitest";
import { messageOf } from "../chaos/answers.ts";
import { Chance } from "../chaos/chance.ts";
import type { Call } from "../chaos/gates.ts";
import { judge } from "../chaos/judge.ts";
import { tell } from "../chaos/world.ts";

const INPUT = { command: "make deploy", description: "c1-1" };
const CALL: Call = {
  mark: "c1-1",
  session: "c1",
  input: INPUT,
  wanted: { verdict: "approve", way: "HTTP", afterMs: 0 },
  isHarmed: false,
  said: "allow",
  message: undefined,
  endedAt: 2_000,
  backAt: undefined,
  accepted: "approve",
};
const DENIED: Call = { ...CALL, said: "deny", message: messageOf(CALL), accepted: "deny" };
const CLOSED: Call = { ...CALL, said: "deny", message: "Signalbox gave no answer: …", accepted: undefined };

const approval = (state: string, more: object = {}): string =>
  JSON.stringify({ kind: "approval", id: "g1", state, input: INPUT, closedAt: 1_500, ...more });
const found = (call: Call, exported: string): readonly string[] =>
  judge([call], exported).found.map(({ what }) => what);

describe("CHAOS-JUDGE-1: the judge of the chaos", () => {
  it("CHAOS-JUDGE-1: an allow without a decision, with one about another input, or with one made elsewhere, is a run without a cause", () => {
    const cause = "ran without a committed cause";
    expect(found(CALL, approval("approved"))).toEqual([]);
    for (const exported of [
      "",
      approval("withdrawn"),
      approval("approved", { observed: true }),
      approval("approved", { input: { ...INPUT, command: "rm -r /" } }),
    ])
      expect(found(CALL, exported)).toContain(cause);
    expect(found({ ...CALL, isHarmed: true }, approval("expired"))).toContain(cause);
  });

  it("CHAOS-JUDGE-2: an approval that nobody knows, that waits for ever, or that was taken from a gate that was there, is lost", () => {
    expect(found(CLOSED, approval("expired"))).toEqual([]);
    expect(found(CLOSED, "")).toEqual(["approval lost"]);
    expect(found({ ...CLOSED, isHarmed: true }, approval("pending"))).toEqual(["approval lost"]);
    const taken = { ...CLOSED, message: "Signalbox gave no answer: the approval is withdrawn." };
    expect(found(taken, approval("withdrawn"))).toEqual(["approval lost"]);
    expect(found({ ...CLOSED, said: "nothing", isHarmed: true }, approval("withdrawn"))).toEqual([]);
  });

  it("CHAOS-JUDGE-3: a decision that the gate did not say, or that was accepted and is not there, never arrived", () => {
    const lost = "answer never arrived";
    expect(found(DENIED, approval("denied"))).toEqual([]);
    expect(found(CLOSED, approval("approved"))).toEqual([lost]);
    expect(found({ ...DENIED, message: "not another" }, approval("denied"))).toEqual([lost]);
    expect(found({ ...CLOSED, accepted: "approve" }, approval("expired"))).toEqual([lost]);
  });

  it("CHAOS-JUDGE-3: a release is counted from the engine's return, or from the answer where that came later", () => {
    const releases = (backAt: number): readonly number[] =>
      judge([{ ...CALL, backAt }], approval("approved")).releases;
    expect([releases(1_900), releases(1_000), releases(2_500)]).toEqual([[100], [500], []]);
  });

  it("CHAOS-WORLD-1: no process is struck that cannot have been started here; a seed repeats its choices", () => {
    expect([0, 1, -1, Number.NaN].map((pid) => tell(pid, "SIGCONT"))).toEqual([false, false, false, false]);
    const choices = (seed: number): readonly number[] => {
      const chance = new Chance(seed);
      return Array.from({ length: 20 }, () => chance.between(1, 4));
    };
    expect(choices(7)).toEqual(choices(7));
    expect(new Set(choices(7))).toEqual(new Set([1, 2, 3, 4]));
  });
});
