// Binding
// Questions that are answered before their call is heard of: a gateway asks first, and a rule answers at once.

import { describe, expect, test } from "vitest";
import { alarmOf, type CallRef, head, type Input } from "../../../../machines/index.ts";
import { answered, asked, bound, call, decided, none, started } from "../../../support/sessions/asking.ts";
import type { SessionRun } from "../../../support/sessions/session-run.ts";

const gate = (ref: CallRef): Input => ({ ...asked(ref, "gate", "g1"), onDeadline: "deny" }) as Input;
const yes = decided("g1", "approve", "ls");
const finished: Input = { type: "tool.finished", call: { toolUseId: "x" }, output: "done" };
const ls = call("ls", "x");
const rm = call("rm -rf x", "x");
const alarms = (run: SessionRun) =>
  run.calls.map(({ state: execution, approval, context }) => {
    const { kind, because } = alarmOf({ execution, approval, context }) ?? {};
    return [execution, approval, kind, because];
  });
const told = (...inputs: readonly Input[]): SessionRun => none().tell(...inputs);

describe("an approved question", () => {
  test("BINDING-1, ALARM-5, C7: is not the call's leave to run on another input, whether the call or the answer comes first", () => {
    const raised = [["completed", "approved", "unapprovedExecution", "other-input"]];
    expect(alarms(told(gate(ls), yes, started(rm), finished))).toEqual(raised);
    expect(alarms(told(started(rm), gate(ls), yes, finished))).toEqual(raised);
    expect(alarms(told(gate(ls), started(rm), yes, finished))).toEqual(raised);
    expect(alarms(told(gate(ls), yes, finished, started(rm)))).toEqual(raised);
    expect(alarms(told(gate(ls), yes, started(ls), finished))).toEqual([
      ["completed", "approved", undefined, undefined],
    ]);
  });

  test("ALARM-5: what a service announced is what it starts; what a client announces may still be rewritten", () => {
    const announced: Input = { type: "tool.announced", call: rm };
    const service = told(gate(ls), yes);
    service.hear(announced, "tool.announced");
    expect(alarms(service.tell(finished))[0]?.[2]).toBe("unapprovedExecution");
    expect(alarms(told(gate(ls), yes, announced, finished))[0]?.[2]).toBeUndefined();
  });

  test("BINDING-1, C7: that a gate asked is known of a call that its hook tells of later", () => {
    const run = told(gate(ls), yes, started(ls), { ...finished, gated: "all" });
    expect(alarms(run)).toEqual([["completed", "approved", undefined, undefined]]);
    expect(run.calls[0]?.context.gateAsked).toBe(true);
  });

  test("BINDING-1, I-07: is taken up by the next call of its input, once; a denied one goes first", () => {
    const run = told(asked(call("ls"), "hook"), answered(call("ls"), "approve"));
    run.tell(started(call("ls", "a")), started(call("ls", "b")));
    expect(bound(run)).toEqual(["a"]);
    expect(run.calls.map(({ approval }) => approval)).toEqual(["approved", "none"]);
    const two = told(asked(call("ls"), "hook", "g1"), asked(call("ls"), "hook", "g2"));
    two.tell(yes, decided("g2", "deny", "ls"), started(call("ls", "a")), started(call("ls", "b")));
    expect([two.ends, bound(two)]).toEqual([
      ["a denied direct", "b processing"],
      ["b", "a"],
    ]);
  });

  test("BINDING-1: stands among those that nobody has answered: each call takes the oldest", () => {
    const run = told(asked(call("ls"), "hook", "g1"), asked(call("ls"), "hook", "g2"), yes);
    run.tell(started(call("ls", "a")), started(call("ls", "b")));
    expect(bound(run)).toEqual(["a", "b"]);
    expect(run.calls.map(({ approval }) => approval)).toEqual(["approved", "pending"]);
  });

  test("BINDING-1: what is over comes last, and is the call's all the same", () => {
    const withdrawn: Input = { type: "approval.withdrawn", call: call("ls") };
    const run = told(
      asked(call("ls"), "hook", "g1"),
      withdrawn,
      asked(call("ls"), "hook", "g2"),
      started(ls),
    );
    expect(bound(run)).toEqual([undefined, "x"]);
    const alone = told(asked(call("ls"), "hook", "g1"), withdrawn, started(ls), finished);
    expect(alone.calls[0]?.approval).toBe("withdrawn");
    expect(alone.approvals[0]?.context.outcome).toBe("approved");
  });

  test("WAITING-APPROVALS-1: once each has its call, none is counted as waiting", () => {
    const run = told(asked(call("ls"), "hook", "g1"), yes, started(ls));
    expect(head(run.records).unbound).toBe(0);
    expect([...run.layer.keys("book/")].filter((key) => key.includes("/waits/"))).toEqual([]);
  });
});
