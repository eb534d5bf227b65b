// Decisions
// Questions under several ids, decisions that come before their question, denials that come before their call.

import { describe, expect, test } from "vitest";
import { type ApprovalId, head, type Input } from "../../machines/index.ts";
import { answered, asked, bound, call, decided, none, started } from "../support/sessions/asking.ts";
import { SessionRun } from "../support/sessions/session-run.ts";

describe("a shared question", () => {
  const gateway = (run: SessionRun) =>
    run.tell(
      started(call("ls", "a")),
      asked(call("ls", "a"), "hook", "h1"),
      asked(call("ls", "a"), "sdk", "g1"),
    );

  test("S3.22: is decided under the id that either channel gave it, and each decision is answered under its own", () => {
    const run = gateway(none());
    expect(run.approvals.map(({ id, context }) => [id, context.aliases])).toEqual([["h1", ["g1"]]]);
    const first = run.hear(decided("g1", "deny", "ls"), "own");
    expect(first.answers).toMatchObject([{ approvalId: "g1", result: "accepted", state: "denied" }]);
    expect(first.audits).toMatchObject([{ kind: "decision", approvalId: "h1", alias: "g1" }]);
    expect(run.ends).toEqual(["a denied direct"]);
    const second = run.hear(decided("h1", "deny", "ls"), "own");
    expect(second.answers).toMatchObject([{ approvalId: "h1", result: "ignored", reason: "already denied" }]);
  });

  test("S3.22: is answered and withdrawn by its source under the id of either channel", () => {
    const run = gateway(none()).tell(answered(call("ls"), "approve", "g1"));
    expect(run.approvals.map(({ state }) => state)).toEqual(["approved"]);
    const other = gateway(none()).tell({
      type: "approval.withdrawn",
      approvalId: "g1" as ApprovalId,
      call: call("ls"),
    });
    expect(other.approvals.map(({ state }) => state)).toEqual(["withdrawn"]);
  });

  test("S3.22: asked again under its second id it is still one question", () => {
    const run = gateway(none()).tell(
      asked(call("ls", "a"), "sdk", "g1"),
      asked(call("ls", "a"), "mcp", "m1"),
    );
    expect(run.approvals.map(({ id, context }) => [id, context.aliases])).toEqual([["h1", ["g1", "m1"]]]);
  });

  test("S3.22: stays while one who asked it still waits", () => {
    const run = gateway(none());
    const gone = (id: string): Input => ({ type: "waiter.gone", approvalId: id as ApprovalId });
    run.tell(gone("g1"), gone("h1"));
    expect(run.approvals.map(({ state }) => state)).toEqual(["pending"]);
    const alone = none().tell(started(call("ls", "a")), asked(call("ls", "a"), "hook", "h1"), gone("h1"));
    expect(alone.approvals.map(({ state }) => state)).toEqual(["withdrawn"]);
  });

  test("G8: takes the early decision of the channel that shares it, unless that may mean another question", () => {
    const run = none().tell(
      started(call("ls", "a")),
      asked(call("ls"), "hook", "h1"),
      decided("g1", "deny", "ls"),
    );
    const shared = run.hear(asked(call("ls"), "sdk", "g1"));
    expect(shared.answers).toMatchObject([{ approvalId: "g1", result: "accepted" }]);
    expect(run.ends).toEqual(["a denied direct"]);
    const two = none().tell(
      started(call("ls", "a")),
      started(call("ls", "b")),
      asked(call("ls", "a"), "hook", "h1"),
      asked(call("ls", "b"), "hook", "h2"),
      decided("g1", "deny", "ls"),
    );
    expect(two.hear(asked(call("ls"), "sdk", "g1")).answers).toMatchObject([
      { approvalId: "g1", result: "ignored" },
    ]);
    expect(two.approvals.map(({ state }) => state)).toEqual(["pending", "pending"]);
  });
});

test("I-10: a denial does what was shown with its question, whatever policy came into force meanwhile", () => {
  const before = new SessionRun({ policy: { cascade: "strict" } });
  before.tell(started(call("ls", "a")), started(call("pwd", "b")), asked(call("ls", "a"), "sdk", "g1"));
  expect(before.approvals[0]?.context.onDeny).toBe("strict");
  const after = new SessionRun({ policy: { cascade: "none" }, layer: before.layer });
  after.at = before.at;
  after.hear(decided("g1", "deny", "ls"), "own");
  expect(before.ends).toEqual(["a denied direct", "b denied cascade"]);
});

describe("an early decision", () => {
  test("I-41, G44: is recorded and answered as it comes, and again when it is applied", () => {
    const run = none().tell(started(call("ls", "a")));
    const kept = run.hear(decided("g1", "deny", "ls"), "own");
    expect(kept.answers).toMatchObject([{ approvalId: "g1", result: "early", state: "unasked" }]);
    expect(kept.audits).toMatchObject([{ kind: "early-decision", approvalId: "g1", by: "local:ann" }]);
    const applied = run.hear(asked(call("ls"), "sdk", "g1"));
    expect(applied.answers).toMatchObject([{ approvalId: "g1", result: "accepted", state: "denied" }]);
    expect(applied.audits).toMatchObject([{ kind: "decision", approvalId: "g1", decision: "deny" }]);
  });

  test("I-14, I-41: of two for one question the first counts; the second is told so", () => {
    const run = none().tell(started(call("ls", "a")), decided("g1", "deny", "ls"));
    const second = run.hear(decided("g1", "approve", "ls"), "own");
    const reason = "an earlier decision waits for this approval";
    expect(second.answers).toMatchObject([{ approvalId: "g1", result: "ignored", reason }]);
    expect(second.audits).toMatchObject([{ kind: "ignored-decision", decision: "approve", reason }]);
    expect(run.tell(asked(call("ls"), "sdk", "g1")).ends).toEqual(["a denied direct"]);
  });

  test("I-41: one that is not applied, for its question may be about another call, is recorded with why", () => {
    const run = none().tell(started(call("ls", "a")), started(call("ls", "b")), decided("g1", "deny", "ls"));
    const asks = run.hear(asked(call("ls"), "sdk", "g1"));
    const reason = "it came before the approval, which may be about another call";
    expect(asks.audits).toMatchObject([{ kind: "ignored-decision", approvalId: "g1", reason }]);
    expect(asks.answers).toMatchObject([{ approvalId: "g1", result: "ignored", state: "pending", reason }]);
  });

  test("I-41: one whose question comes behind the end of its call is recorded as ignored", () => {
    const run = none().tell(
      { type: "prompt.submitted", promptId: "p1", text: "go" },
      started(call("ls", "a")),
      { type: "tool.finished", call: { toolUseId: "a" }, output: "done" },
      { type: "turn.stopped", outcome: "completed" },
      decided("g1", "deny", "ls"),
    );
    const asks = run.hear(asked(call("ls", "a"), "sdk", "g1"));
    expect(asks.answers).toMatchObject([
      { approvalId: "g1", result: "ignored", reason: "already withdrawn" },
    ]);
    expect(run.ends).toEqual(["a completed"]);
  });
});

describe("a question that was denied before its call was seen", () => {
  test.each([
    ["by a decision older than itself", [decided("g1", "deny", "ls"), asked(call("ls"), "sdk", "g1")]],
    ["by a decision while it waited", [asked(call("ls"), "sdk", "g1"), decided("g1", "deny", "ls")]],
    ["by its source", [asked(call("ls"), "sdk", "g1"), answered(call("ls"), "deny", "g1")]],
    [
      "naming the call, without an input",
      [asked({ toolUseId: "a" }, "sdk", "g1"), decided("g1", "deny", "ls")],
    ],
  ])("C4: denies the call when it comes: %s", (_, inputs) => {
    const run = none().tell(...inputs, started(call("ls", "a")));
    expect(run.ends).toEqual(["a denied direct"]);
    expect(run.calls[0]).toMatchObject({ approval: "denied", context: { approval: { id: "g1" } } });
    expect(bound(run)).toEqual(["a"]);
    expect(run.tell(started(call("ls", "b"))).ends).toEqual(["a denied direct", "b processing"]);
  });

  test("C4: denies it once its deadline has passed, where that means no", () => {
    const expired = (onDeadline: "deny" | "ask") => {
      const run = none().tell({ ...asked(call("ls"), "sdk", "g1"), onDeadline } as Input);
      run.take({ expire: 0 });
      return run.tell(started(call("ls", "a"))).ends;
    };
    expect([expired("deny"), expired("ask")]).toEqual([["a denied expired"], ["a processing"]]);
  });

  test("I-10, I-12: denies with it what a denial of the call would, in the turn in which the call comes", () => {
    const early = [asked(call("ls", "a"), "sdk", "g1"), decided("g1", "deny", "ls")];
    const message = (id: string): Input => ({
      type: "tool.announced",
      call: call("ls", id),
      messageId: "m1",
    });
    const strict = new SessionRun({ policy: { cascade: "strict" } }).tell(
      ...early,
      message("a"),
      message("b"),
    );
    expect(strict.ends).toEqual(["a denied direct", "b denied cascade"]);
    expect(none().tell(...early, message("a"), message("b")).ends).toEqual(["a denied direct", "b queued"]);
  });

  test("C5: a call that the client's list shows for the first time is denied, not said to have run", () => {
    const run = none().tell(asked(call("ls"), "sdk", "g1"), decided("g1", "deny", "ls"), {
      type: "tool.batch",
      calls: [call("ls", "a")],
    });
    expect(run.ends).toEqual(["a denied direct"]);
    expect(run.calls[0]?.context.executedAfterDenial).toBeUndefined();
  });

  test("G8: denies the next call that it fits, also where a question that nobody answered fits it as well", () => {
    const two = [asked(call("ls"), "hook", "g1"), asked(call("ls"), "hook", "g2")];
    const early = none().tell(decided("g1", "deny", "ls"), ...two, started(call("ls", "a")));
    expect([early.ends, bound(early)]).toEqual([["a denied direct"], ["a", undefined]]);
    const person = none().tell(...two, decided("g2", "deny", "ls"), started(call("ls", "a")));
    expect([person.ends, bound(person)]).toEqual([["a denied direct"], [undefined, "a"]]);
    person.tell(started(call("ls", "b")));
    expect([person.ends, bound(person)]).toEqual([
      ["a denied direct", "b processing"],
      ["b", "a"],
    ]);
  });

  test("C4: says nothing about the same input in the work of another prompt", () => {
    const prompt = (promptId: string): Input => ({ type: "prompt.submitted", promptId, text: "go" });
    const run = none().tell(prompt("p1"), asked(call("ls"), "sdk", "g1"), decided("g1", "deny", "ls"));
    run.tell({ type: "turn.stopped", outcome: "completed" }, prompt("p2"), started(call("ls", "a")));
    expect(run.ends).toEqual(["a processing"]);
    expect(head(run.records).unbound).toBe(1);
    run.tell(prompt("p1"), { ...started(call("ls", "b")), promptId: "p1" } as Input);
    expect([run.ends, head(run.records).unbound]).toEqual([["a processing", "b denied direct"], 0]);
  });
});
