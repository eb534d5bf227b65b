// Votes text
// What a line about an approval by several says of those who are missing.

import { describe, expect, it } from "vitest";
import { fc } from "@fast-check/vitest";
import { votesLines } from "../../../runtime/text/votes-text.ts";

const clock = (at: number): string => `t${at}`;
const named = (...names: readonly string[]) => names.map((name) => ({ name, fromAt: 0 }));

describe("an approval by several, in words", () => {
  it.each([
    [{ approvals: 2, given: 1 }, ["http:ann"], "1 of 2 people have approved: ann. Still needed: 1 more."],
    [
      { approvals: 2, given: 1, approvers: named("ann", "ben") },
      ["http:ann"],
      "1 of 2 people have approved: ann. Only ann, you may approve it. Still needed: you.",
    ],
    [
      { approvals: 2, given: 1, approvers: named("ann", "ben", "zoe") },
      ["local:ann"],
      "1 of 2 people have approved: ann. Only ann, you, zoe may approve it. Still needed: you or zoe.",
    ],
    [
      { approvals: 2, given: 0, approvers: [...named("ann"), { name: "zoe", fromAt: 9 }] },
      [],
      "0 of 2 people have approved. Only ann may approve it; zoe from t9 on. Still needed: ann and zoe.",
    ],
    [{ approvals: 2, given: 2 }, ["http:ann", "nats:ben"], "2 of 2 people have approved: ann, you."],
  ])("VOTES-TEXT-1: %j, approved by %j", (demand, voters, line) => {
    const votes = voters.map((by) => ({ by }));
    expect(votesLines({ demands: [demand], votes }, 5, clock, "http:ben")).toEqual([line]);
  });

  it("VOTES-TEXT-1: nobody who has approved is told to be missing, and everybody else who may is", () => {
    const names = ["ann", "ben", "eve", "zoe"];
    fc.assert(
      fc.property(fc.subarray(names, { minLength: 2 }), fc.subarray(names), (may, all) => {
        const voters = all.filter((name) => may.includes(name));
        const demand = { approvals: may.length, given: voters.length, approvers: named(...may) };
        const votes = voters.map((by) => ({ by: `http:${by}` }));
        const [line = ""] = votesLines({ demands: [demand], votes }, 5, clock);
        const missing = may.filter((name) => !voters.includes(name));
        const said = /Still needed: (.*)\.$/.exec(line)?.[1]?.split(" and ") ?? [];
        expect(said).toEqual(missing);
      }),
    );
  });
});
