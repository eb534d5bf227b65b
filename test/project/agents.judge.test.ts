// Agents: the judge
// What the judge of the kills says of rounds whose truth is written here.

import { describe, expect, it } from "vitest";
import { judged } from "../agents/kill-judge.ts";
import type { Played } from "../agents/kill-round.ts";
import type { Shown } from "../chaos/shown.ts";

const RAN = "/w/1/ran";

const round = (
  says: Played["plan"]["says"],
  hasRun: boolean,
  isStruck: boolean,
  struck: Played["plan"]["struck"] = isStruck ? "the engine" : "nothing",
): Played => ({
  n: 1,
  agent: "Some",
  plan: { struck, says, strikesAfterMs: 0, saysAfterMs: 0, isEarly: false },
  ran: RAN,
  hasRun,
  isStruck,
});

/** As the engine exports it. */
const approval = (state: string, ran = RAN, lapsedSaid?: string): Shown => ({
  from: "export",
  askedAt: 0,
  readAt: 1,
  id: "a1",
  mark: "",
  session: "s1",
  state,
  input: { command: `touch ${ran}` },
  inputHash: undefined,
  by: undefined,
  message: undefined,
  updatedInput: undefined,
  closedAt: undefined,
  isObserved: false,
  lapsedSaid,
  others: [],
});

describe("the judge of the kills", () => {
  it.each([
    ["ran, denied", round("approve", true, true), [approval("denied")]],
    ["ran, withdrawn", round("client allows", true, true), [approval("withdrawn")]],
    ["ran, expired", round("client allows", true, true), [approval("expired")]],
    [
      "ran, though its asker said no by itself",
      round("client allows", true, true),
      [approval("expired", RAN, "deny")],
    ],
    [
      "ran, left to the client, where nobody allowed it",
      round("approve", true, true),
      [approval("expired", RAN, "ask")],
    ],
    ["ran, still pending", round("both at once", true, true), [approval("pending")]],
    [
      "ran, and the engine was never asked, though nobody allowed it in the client",
      round("deny", true, true),
      [],
    ],
    [
      "ran, and only another round's was approved",
      round("approve", true, true),
      [approval("approved", "/w/2/ran")],
    ],
  ])("KILL-JUDGE-1: finds a command that %s", (_, played, approvals) => {
    expect(judged([played], approvals)).toEqual([expect.stringContaining("ran without a committed allow")]);
  });

  it("KILL-JUDGE-2: finds a command that was allowed, not struck, and did not run", () => {
    expect(judged([round("approve", false, false)], [approval("approved")])).toEqual([
      expect.stringContaining("was allowed, and did not run"),
    ]);
  });

  it.each([
    ["ran, approved", round("approve", true, true), [approval("approved")]],
    ["ran, allowed by the client alone", round("client allows", true, true), []],
    [
      "ran, allowed by the client alone, before the engine could say that it has the question",
      round("client allows", true, true),
      [approval("expired", RAN, "ask")],
    ],
    ["did not run, approved, but was struck", round("approve", false, true), [approval("approved")]],
    ["did not run, denied", round("deny", false, false), [approval("denied")]],
  ])("KILL-JUDGE-1, KILL-JUDGE-2: says nothing of one that %s", (_, played, approvals) => {
    expect(judged([played], approvals)).toEqual([]);
  });
});
