// Binding again
// A call that took up a question which was over already, and the question about it that comes after.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { alarmOf, type ApprovalId, type CallRef, type Input } from "../../../../machines/index.ts";
import { asked, bound, call, decided, none, started } from "../../../support/sessions/asking.ts";
import { holds } from "../../../support/properties/property.ts";
import type { SessionRun } from "../../../support/sessions/session-run.ts";

const FILE = "test/machines/routing/approvals/binding.again.test.ts";

const ask = (id: string, ref: CallRef = call("ls")): Input =>
  ({ ...asked(ref, "gate", id), onDeadline: "ask" }) as Input;
const withdrawn = (id: string): Input => ({
  type: "approval.withdrawn",
  call: call("ls"),
  approvalId: id as ApprovalId,
});
const finished = (toolUseId: string): Input => ({
  type: "tool.finished",
  call: { toolUseId },
  output: "done",
  gated: "all",
});
const over: readonly Input[] = [ask("g0"), withdrawn("g0")];
const told = (...inputs: readonly Input[]): SessionRun => none().tell(...inputs);
const alarms = (run: SessionRun) =>
  run.calls.map(({ id, state: execution, approval, context }) => [
    id,
    approval,
    alarmOf({ execution, approval, context })?.because,
  ]);

describe("a call that took up a question which was over", () => {
  test("BINDING-2: takes the question about it that comes after, and needs no alarm", () => {
    const run = told(
      ...over,
      started(call("ls", "x")),
      ask("g1"),
      decided("g1", "approve", "ls"),
      finished("x"),
    );
    expect(alarms(run)).toEqual([["x", "approved", undefined]]);
    expect(bound(run)).toEqual(["x", "x"]);
  });

  test("BINDING-2: also where that question names it", () => {
    const named = ask("g1", call("ls", "x"));
    const run = told(...over, started(call("ls", "x")), named, decided("g1", "approve", "ls"), finished("x"));
    expect(alarms(run)).toEqual([["x", "approved", undefined]]);
  });

  test("BINDING-2: stands behind a call that took up none, and behind none of another input", () => {
    const two = told(...over, started(call("ls", "x")), started(call("ls", "y")), ask("g1"), ask("g2"));
    expect(bound(two)).toEqual(["x", "y", "x"]);
    const other = told(...over, started(call("ls", "x")), started(call("pwd", "y")), ask("g1", call("pwd")));
    expect(bound(other)).toEqual(["x", "y"]);
  });

  test("BINDING-2, I-07: takes one more question at most, and none that names another call", () => {
    const twice = told(...over, started(call("ls", "x")), ask("g1"), ask("g2"));
    expect(bound(twice)).toEqual(["x", "x", undefined]);
    const another = told(...over, started(call("ls", "x")), ask("g1", call("ls", "y")));
    expect(bound(another)).toEqual(["x", undefined]);
  });

  test("BINDING-2: the question that was over is not called denied where a named one takes its place", () => {
    const other = ask("g1", call("pwd", "a"));
    const announced: Input = { type: "tool.announced", call: call("ls", "a") };
    const run = told(...over, other, started(call("ls")), announced);
    expect(bound(run)).toEqual(["a", "a"].map(() => run.calls[0]?.id));
    expect(run.approvals.map(({ state }) => state)).toEqual(["withdrawn", "pending"]);
    expect(run.approvals[0]?.context.outcome).not.toBe("denied");
  });

  test("BINDING-2: keeps the question that was over where no other comes", () => {
    const lapsed: Input = { type: "approval.lapsed", approvalId: "g0" as ApprovalId };
    const run = told(ask("g0"), lapsed, started(call("ls", "x")), finished("x"));
    expect(alarms(run)).toEqual([["x", "expired", undefined]]);
    expect(bound(run)).toEqual(["x"]);
  });

  test("BINDING-2, ALARM-1: whichever of question, answer and start comes first, nothing is raised and all is approved", () => {
    const ids = ["x", "y"] as const;
    const pieces = ids.flatMap((id, index) => [
      { id, step: 0, input: ask(`g${index + 1}`) },
      { id, step: 1, input: decided(`g${index + 1}`, "approve", "ls") },
      { id, step: 2, input: started(call("ls", id)) },
    ]);
    const orders = fc.shuffledSubarray(pieces, { minLength: pieces.length }).filter((order) =>
      ids.every((id) => {
        const at = (step: number): number => order.findIndex((each) => each.id === id && each.step === step);
        return at(0) < at(1);
      }),
    );
    holds(FILE, 200, orders, (order) => {
      const run = told(...over, ...order.map(({ input }) => input), ...ids.map(finished));
      expect(new Set(alarms(run).map(([, ...rest]) => rest.join()))).toEqual(new Set(["approved,"]));
    });
  });
});
