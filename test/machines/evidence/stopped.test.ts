// Evidence: stopped
// A call that was stopped while it ran: telemetry calls it a failure, and the transcript says that the user rejected it.

import { describe, expect, test } from "vitest";
import { childAddress, type Input } from "../../../machines/index.ts";
import { toolInput } from "../../../runtime/canonical.ts";
import { alarmIn } from "../../../runtime/rows/views.ts";
import { ordersOf } from "../../support/machines/orders.ts";
import { SessionRun } from "../../support/sessions/session-run.ts";

const ref = { toolUseId: "a", tool: "Bash", input: toolInput({ command: "sleep 60" }) };
const prompt: Input = { type: "prompt.submitted", promptId: "p1", text: "go" };
const pre: Input = { type: "tool.started", call: ref };
const ask: Input = { type: "approval.requested", call: ref, channel: "hook" };
const shellError: Input = {
  type: "tool.failed",
  call: { toolUseId: "a", tool: "Bash" },
  error: "ShellError",
  durationMs: 900,
  bare: true,
};
const rejected = (beforeRun?: boolean): Input => ({
  type: "tool.denied",
  call: { toolUseId: "a" },
  verdict: "rejected",
  ...(beforeRun !== undefined && { beforeRun }),
});
const failure: Input = { type: "tool.failed", call: ref, error: "Exit code 1" };
const denied: Input = { type: "tool.denied", call: ref, verdict: "hook" };

function told(...order: readonly Input[]) {
  const run = new SessionRun({ policy: { cascade: "interrupt" } });
  run.tell(prompt);
  for (const input of order) run.hear(input);
  run.tell({ type: "session.ended" });
  const call = run.snapshot(childAddress(run.home, "call", "a"));
  if (!call || run.calls.length !== 1) throw new Error("there is one call");
  const { error, durationMs, missing, ran } = run.calls[0]?.context ?? {};
  return {
    run,
    end: run.ends[0],
    error,
    durationMs,
    missing,
    ran: ran !== undefined,
    alarm: alarmIn(call)?.kind,
  };
}

const STOPPED = {
  end: "a missing-post interrupted",
  error: undefined,
  durationMs: 900,
  missing: { cause: "interrupted", evidence: "result" },
  ran: true,
  alarm: undefined,
};

describe("a call that was stopped while it ran", () => {
  test("C2, C4, I-24: has no result, and is no failure, in whatever order the two words are told", () => {
    for (const marks of [undefined, false])
      for (const order of ordersOf([pre, shellError, rejected(marks)]))
        expect(told(...order), order.map(({ type }) => type).join(" > ")).toMatchObject(STOPPED);
  });

  test("C2, C4, I-24: also where it had been asked about, and the answer was seen by nobody", () => {
    for (const order of ordersOf([ask, shellError, rejected()])) {
      const { run, end } = told(pre, ...order);
      const heard = order.map(({ type }) => type).join(" > ");
      expect(end, heard).toBe(STOPPED.end);
      // APPROVAL-2: it ran, so somebody had allowed it.
      if (order.indexOf(ask) < 2) expect(run.approvals[0]?.context.outcome, heard).toBe("approved");
    }
  });

  test("C2: the change is told like any other correction", () => {
    const run = new SessionRun().tell(prompt, pre, shellError);
    const { changes = [] } = run.hear(rejected(false));
    expect(changes).toMatchObject([{ id: "a", from: "failed", to: "missing-post" }]);
    expect(run.calls[0]?.context.was).toBe("failed");
    expect(run.session?.context.counts.openCalls).toBe(0);
    expect(run.tell(rejected(false), shellError).ends).toEqual([STOPPED.end]);
  });

  test("I-01, C2: a failure in the words of a hook stays one, whatever else is told, and so does one that nobody calls rejected", () => {
    for (const order of ordersOf([failure, shellError, rejected(false)]))
      expect(told(pre, ...order).end, order.map(({ type }) => type).join(" > ")).toBe("a failed");
    const others: readonly Input[] = [
      { type: "turn.stopped", outcome: "interrupted" },
      { type: "tool.lost", call: { toolUseId: "a" }, cause: "killed" },
      { type: "tool.batch", calls: [ref] },
    ];
    for (const other of others) expect(told(pre, shellError, other).end).toBe("a failed");
  });

  test("C5, I-24: the word that it never began is a denial: that it ran all the same is an alarm in either order", () => {
    for (const word of [rejected(true), denied])
      for (const order of ordersOf([shellError, word])) {
        const { run, end, alarm } = told(pre, ...order);
        expect([end?.split(" ")[1], alarm]).toEqual(["denied", "executedAfterDenial"]);
        expect(run.calls[0]?.context.observed).toBe("ran");
      }
  });

  test("C5, ALARM-1: a denial that was given here stays one, and is an alarm if the call ran", () => {
    const gate: Input = { ...ask, channel: "gate", approvalId: "g1", onDeadline: "deny" } as Input;
    const no: Input = { type: "decision", approvalId: "g1", decision: "deny", by: "local:ann" } as Input;
    for (const order of ordersOf([shellError, rejected()])) {
      const { end, alarm } = told(pre, gate, no, ...order);
      expect([end, alarm]).toEqual(["a denied direct", "executedAfterDenial"]);
    }
  });
});
