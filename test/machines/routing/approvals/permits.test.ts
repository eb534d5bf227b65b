// Permits
// A client's word of who allowed a call, heard before the call or before the question about it.

import { describe, expect, test } from "vitest";
import { head, type Input } from "../../../../machines/index.ts";
import { asked, bound, call, none, started } from "../../../support/sessions/asking.ts";
import type { SessionRun } from "../../../support/sessions/session-run.ts";

const ls = call("ls", "a");
const word = (source: string, decision: "accept" | "reject" = "accept", id = "a"): Input => ({
  type: "tool.permission",
  call: { toolUseId: id },
  decision,
  source,
  bare: true,
  settles: true,
});
const answers = (run: SessionRun) => run.approvals.map(({ state, context: { by } }) => [state, by]);

describe("an answer at the terminal", () => {
  test("PERMITS-1, PERMITS-2, I-24: ends the question about its call, whichever of the three is told first", () => {
    const question = asked(ls, "gate", "g1");
    const said = word("user_temporary");
    for (const order of [
      [started(ls), question, said],
      [started(ls), said, question],
      [said, started(ls), question],
      [said, question, started(ls)],
      [question, said, started(ls)],
      [question, started(ls), said],
    ]) {
      const run = none().tell(...order);
      expect(answers(run), order.map(({ type }) => type).join(" > ")).toEqual([["approved", "terminal"]]);
      expect(run.calls.map(({ state, approval }) => [state, approval])).toEqual([["processing", "approved"]]);
      expect(run.session?.context.counts.pendingApprovals).toBe(0);
      expect(head(run.records).permits?.size ?? 0).toBe(0);
    }
  });

  test("PERMITS-1, PERMISSION-3: of two words that come before their call, the one that says why is kept", () => {
    const bare = word("user_temporary");
    const whole = {
      type: "tool.permission",
      call: { toolUseId: "a" },
      decision: "accept",
      source: "user_temporary",
      reason: "rule",
    } as const;
    for (const order of [
      [bare, whole],
      [whole, bare],
    ]) {
      const early = none().tell(...order, started(ls));
      const late = none().tell(started(ls), ...order);
      const told = [early, late].map((run) => run.calls[0]?.context.permission);
      expect(told[0]).toEqual(told[1]);
      expect(told[0]).toMatchObject({ source: "user_temporary", reason: "rule" });
    }
  });

  test("PERMITS-2: a no that is told first denies the call that is asked about then", () => {
    const run = none().tell(started(ls), word("user_reject", "reject"), asked(ls, "gate", "g1"));
    expect(answers(run)).toEqual([["denied", "terminal"]]);
    expect(run.ends).toEqual(["a denied direct"]);
  });

  test("PERMITS-2: ends a question that names no call only where a person gave it", () => {
    const nameless = asked(call("ls"), "gate", "g1");
    expect(answers(none().tell(started(ls), word("user_temporary"), nameless))).toEqual([
      ["approved", "terminal"],
    ]);
    const other = none().tell(started(ls), word("config"), nameless);
    expect([answers(other), bound(other)]).toEqual([[["pending", undefined]], ["a"]]);
  });

  test("PERMITS-2, C2: says nothing of a question that comes after the call was put off", () => {
    const run = none().tell(started(ls), word("user_temporary"), { type: "tool.deferred", call: ls });
    expect(answers(run.tell(asked(ls, "gate", "g1")))).toEqual([["pending", undefined]]);
  });
});

test("PERMITS-1: a word about an unseen call is the call's once it is seen, under whatever name", () => {
  const permission = { decision: "accept", source: "config", bare: true };
  const named = none().tell(word("config"), started(ls));
  expect(named.calls[0]?.context.permission).toEqual(permission);
  const late = none().tell(started(call("ls")), word("config"), { type: "tool.announced", call: ls });
  expect(late.calls.map(({ context }) => context.permission)).toEqual([permission]);
});

test("I-37, PERMITS-1: words about unseen calls are kept in number, the newest", () => {
  const run = none();
  for (let n = 0; n < 1_030; n++) run.tell(word("config", "accept", `t${n}`));
  expect(head(run.records).permits?.size).toBe(1_024);
  run.tell(started(call("ls", "t0")), started(call("ls", "t1029")));
  const sources = run.calls.map(({ id, context }) => [id, context.permission?.source]);
  expect(sources).toEqual([
    ["t0", undefined],
    ["t1029", "config"],
  ]);
});
