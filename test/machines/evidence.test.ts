// Evidence
// Receipts and alarms: whatever is heard of an answer and its call, and in whatever order, says the same.

import { describe, expect, test } from "vitest";
import type { ApprovalId, Input } from "../../machines/index.ts";
import { alarmIn, approvalView, callView } from "../../runtime/rows/views.ts";
import {
  ASKED,
  beginning,
  type Case,
  cases,
  EDITED,
  expected,
  inputOf,
  OTHER,
} from "../support/machines/evidence.ts";
import { holds } from "../support/properties/property.ts";
import { type Heard, SESSION, SessionRun, WORKSPACE } from "../support/sessions/session-run.ts";
import { childAddress } from "../../machines/index.ts";

const FILE = "test/machines/evidence.test.ts";

function viewsOf(run: SessionRun) {
  const call = run.snapshot(childAddress(run.home, "call", run.calls[0]?.id ?? ""));
  const approval = run.snapshot(childAddress(run.home, "approval", "g1"));
  if (!call) throw new Error("the case has no call");
  return {
    call: callView(SESSION, call, undefined),
    alarm: alarmIn(call),
    approval: approval && approvalView(WORKSPACE, SESSION, approval),
  };
}

function told(run: SessionRun) {
  const { approval, alarm } = viewsOf(run);
  return { step: approval?.receipt?.step, alarm: alarm && `${alarm.kind} ${alarm.because}` };
}

function played(given: Case, evidence: readonly Input[]): SessionRun {
  const run = new SessionRun({ policy: { cascade: "interrupt" } });
  run.tell(...beginning(given));
  for (const input of evidence) run.hear(input);
  return run;
}

const alarmsOf = ({ changes = [] }: Heard): readonly string[] =>
  changes.filter(({ entity }) => entity === "alarm").map(({ to }) => to);

describe("receipts and alarms", () => {
  test("C6, C7, RECEIPT-1, RECEIPT-2, RECEIPT-4, ALARM-1, ALARM-2, ALARM-3, ALARM-4, APPROVAL-1, EVIDENCE-1, EVIDENCE-2: in whatever order it is heard, once or twice, evidence says what the reference says", () => {
    holds(FILE, 500, cases, (given) => {
      const inputs = given.evidence.map(inputOf);
      const orders = [
        inputs,
        inputs.toReversed(),
        [...inputs.slice(1), ...inputs.slice(0, 1)],
        [...inputs, ...inputs],
      ];
      for (const order of orders) expect(told(played(given, order))).toEqual(expected(given));
    });
  });

  test("RECEIPT-3: an answer whose acknowledgement is lost is committed, and confirmed by the result all the same", () => {
    const given: Case = { closes: "deny", answer: "approve", evidence: [] };
    expect(told(played(given, []))).toEqual({ step: "committed", alarm: undefined });
    expect(told(played(given, [inputOf("ran on asked")]))).toEqual({ step: "confirmed", alarm: undefined });
  });

  test("RECEIPT-2: an approve that comes after the gate answered by itself is shown as lapsed, on the call too", () => {
    const run = played({ closes: "ask", answer: "approve", evidence: [] }, [
      inputOf("alone ask"),
      inputOf("ran on asked"),
    ]);
    const { approval, call } = viewsOf(run);
    expect(approval).toMatchObject({
      state: "approved",
      via: "cli",
      receipt: { step: "lapsed", lapsedSaid: "ask", call: "ran" },
    });
    expect(call.approval).toMatchObject({ state: "approved", lapsed: { said: "ask" } });
  });

  test("I-14: answers that come too late are kept on the approval, the newest eight, and change nothing", () => {
    const approvalId = "g1" as ApprovalId;
    const late = { type: "decision", approvalId, decision: "deny", by: "local:bob", via: "panel" } as const;
    const run = played(
      { closes: "ask", answer: "approve", evidence: [] },
      Array.from({ length: 9 }, () => late),
    );
    const { approval } = viewsOf(run);
    expect(approval).toMatchObject({ state: "approved", by: "local:ann", via: "cli" });
    expect(approval?.others).toHaveLength(8);
    expect(approval?.others?.[0]).toMatchObject({ by: "local:bob", via: "panel", decision: "deny" });
  });

  test("ALARM-1: an alarm is told once, and taken back once it is known that a person allowed the call", () => {
    const run = new SessionRun({ policy: { cascade: "interrupt" } });
    run.tell(...beginning({ closes: "deny", answer: "deny", evidence: [] }));
    expect(alarmsOf(run.hear(inputOf("ran on asked")))).toEqual(["executedAfterDenial"]);
    expect(alarmsOf(run.hear(inputOf("ran, unseen input")))).toEqual([]);
    expect(viewsOf(run).call).toMatchObject({ executedAfterDenial: true, alarm: { approvalId: "g1" } });
    expect(alarmsOf(run.hear(inputOf("allowed at the terminal")))).toEqual(["cleared"]);
    const { call } = viewsOf(run);
    expect(call).not.toHaveProperty("alarm");
    expect(call).not.toHaveProperty("executedAfterDenial");
  });

  const unasked = (gated?: "all" | "permission"): SessionRun => {
    const run = new SessionRun({ policy: { cascade: "interrupt" } });
    const call = { toolUseId: "t1", tool: "Bash", input: ASKED };
    run.tell({ type: "prompt.submitted", promptId: "p1", text: "go" });
    return run.tell({ type: "tool.finished", call, output: "done", ...(gated && { gated }) }).tell({
      type: "session.ended",
    });
  };

  test("ALARM-3: a call that ran where every call is to be asked about, and no gate asked, is an alarm until one has", () => {
    expect(told(unasked())).toEqual({ step: undefined, alarm: undefined });
    const run = unasked("all");
    expect(told(run)).toEqual({ step: undefined, alarm: "gateFailedOpen never-asked" });
    const call = { toolUseId: "t1", tool: "Bash", input: ASKED };
    const approvalId = "g1" as ApprovalId;
    run.hear({ type: "approval.requested", approvalId, call, channel: "gate", onDeadline: "ask" });
    expect(told(run)).toEqual({ step: undefined, alarm: undefined });
  });

  test("ALARM-3: where only what the client asks about is gated, it is one once a person was asked at the terminal", () => {
    const run = unasked("permission");
    expect(told(run).alarm).toBeUndefined();
    run.hear(inputOf("allowed at the terminal"));
    expect(told(run).alarm).toBe("gateFailedOpen never-asked");
  });

  test("ALARM-2: a call that ran while nobody had answered is one where the gate would have denied it", () => {
    for (const closes of ["ask", "deny"] as const) {
      const run = new SessionRun({ policy: { cascade: "interrupt" } });
      run.tell(...beginning({ closes, answer: "approve", evidence: [] }).slice(0, 3));
      run.hear(inputOf("ran on asked"));
      expect(told(run).alarm).toBe(closes === "deny" ? "unapprovedExecution pending" : undefined);
    }
  });

  test("EVIDENCE-1: an approval that is bound to a call which has ended learns what the call has shown", () => {
    const run = new SessionRun({ policy: { cascade: "interrupt" } });
    run.tell(
      { type: "prompt.submitted", promptId: "p1", text: "go" },
      { type: "tool.started", call: { toolUseId: "t1", tool: "Bash", input: ASKED } },
      { type: "tool.finished", call: { toolUseId: "t1", tool: "Bash", input: OTHER }, output: "done" },
    );
    const approvalId = "g1" as ApprovalId;
    const call = { toolUseId: "t1", tool: "Bash", input: EDITED };
    run.hear({ type: "approval.requested", approvalId, call, channel: "gate", onDeadline: "ask" });
    expect(run.approvals[0]?.context.ran).toMatchObject({ inputHash: OTHER.hash });
  });
});
