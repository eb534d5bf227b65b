// Questions: late
// Questions that a slow channel tells after another has told how their calls ended.

import { describe, expect, test } from "vitest";
import type { AgentId, Input, RequestId } from "../../machines/index.ts";
import { toolInput } from "../../runtime/canonical.ts";
import { SessionRun } from "../support/sessions/session-run.ts";

const like = (command: string) => ({ tool: "Bash", input: toolInput({ command }) });
const ref = (id: string, command = id) => ({ toolUseId: id, ...like(command) });
const prompt: Input = { type: "prompt.submitted", promptId: "p1", text: "go" };
const announced = (id: string, command = id): Input => ({
  type: "tool.announced",
  call: ref(id, command),
  messageId: "m1",
});
const pre = (id: string, command = id): Input => ({ type: "tool.started", call: ref(id, command) });
const post = (id: string): Input => ({ type: "tool.finished", call: { toolUseId: id }, output: `of ${id}` });
const stop: Input = { type: "turn.stopped", outcome: "completed" };
const ask = (command: string): Input => ({
  type: "approval.requested",
  call: like(command),
  channel: "hook",
});
const answer = (command: string, decision: "approve" | "deny"): Input => ({
  type: "approval.answered",
  call: like(command),
  decision,
  by: "hook",
});

/** What the stream tells, then what the hooks do. */
function late(streamed: readonly Input[], hooks: readonly Input[]): SessionRun {
  const run = new SessionRun({ policy: { cascade: "interrupt" } });
  for (const input of streamed) run.hear(input, "test.stream");
  return run.tell(...hooks);
}
const bound = (run: SessionRun) => run.approvals.map(({ state, context }) => [context.callId, state]);

describe("a question that is told after the end of its call", () => {
  test("I-24: it is about the call that began on its own channel and has not ended there; no end changes", () => {
    const told = [announced("a"), announced("b"), post("a"), post("b")];
    const run = late(told, [prompt, pre("a"), post("a"), pre("b"), ask("b"), post("b")]);
    expect(bound(run)).toEqual([["b", "withdrawn"]]);
    expect(run.ends).toEqual(["a completed", "b completed"]);
    expect(run.session?.context.counts).toMatchObject({ pendingApprovals: 0, openCalls: 0 });
  });

  test("I-24: of two calls of one input, it is the one whose result its channel has not told", () => {
    const told = [announced("a", "ls"), announced("b", "ls"), post("a"), post("b")];
    const hooks = [prompt, pre("a", "ls"), post("a"), pre("b", "ls"), ask("ls"), post("b")];
    expect(bound(late(told, hooks))).toEqual([["b", "withdrawn"]]);
  });

  test("I-24: an open call of its input comes first: somebody may wait for the answer", () => {
    const told = [announced("a", "ls"), post("a")];
    const run = late(told, [prompt, pre("a", "ls"), pre("b", "ls"), ask("ls")]);
    expect(bound(run)).toEqual([["b", "pending"]]);
  });

  test("I-24, S3.11: one that names another call of the same input is not about it: a person is asked", () => {
    const named: Input = { type: "approval.requested", call: ref("b", "ls"), channel: "hook" };
    const run = late([announced("a", "ls"), post("a")], [prompt, pre("a", "ls"), named]);
    expect(bound(run)).toEqual([[undefined, "pending"]]);
    const ended = late([announced("a", "ls")], [prompt, { type: "session.ended", reason: "other" }, named]);
    expect(bound(ended).map(([call]) => call)).not.toContain("a");
  });

  test("I-24: without a start on its channel it waits for a call of its own", () => {
    const run = late([announced("a", "ls"), post("a")], [prompt, ask("ls")]);
    expect(bound(run)).toEqual([[undefined, "pending"]]);
    run.tell(pre("b", "ls"));
    expect(bound(run)).toEqual([["b", "pending"]]);
  });

  test("I-07, I-24, BINDING-1: one told before the start, and answered by then, is taken up by that start", () => {
    for (const decision of ["approve", "deny"] as const) {
      const run = late(
        [announced("a", "ls"), post("a")],
        [prompt, ask("ls"), answer("ls", decision), pre("a", "ls")],
      );
      expect(bound(run)).toEqual([["a", decision === "approve" ? "approved" : "denied"]]);
      expect(run.calls[0]).toMatchObject({ state: "completed" });
    }
    const open = late([], [prompt, ask("ls"), answer("ls", "approve"), pre("b", "ls")]);
    expect(bound(open)).toEqual([["b", "approved"]]);
  });

  test("C2, C4, I-24: a denial that was told before its start says how a call ended that had no result", () => {
    const listed: Input = { type: "tool.batch", calls: [ref("a", "ls")] };
    const run = late([], [prompt, listed, ask("ls"), answer("ls", "deny"), pre("a", "ls")]);
    expect(run.ends).toEqual(["a denied hook"]);
    expect(run.calls[0]?.approval).toBe("denied");
  });

  test("G16, C4, C5, I-24: a start that names no work is of the work in hand: the denial that waits there is its call's", () => {
    const created: Input = { type: "request.created", requestId: "r0" as RequestId };
    const run = late(
      [announced("a", "ls")],
      [stop, created, ask("ls"), answer("ls", "deny"), pre("a", "ls")],
    );
    expect(run.ends).toEqual(["a denied hook"]);
    run.tell(post("a"), pre("b", "ls"));
    expect(run.ends).toEqual(["a denied hook", "b processing"]);
    expect(run.calls[0]?.context.executedAfterDenial).toBe(true);
  });

  test("G16, C4, I-24: the start of earlier work, or of another agent, leaves the denial to the call that it is about", () => {
    const next: Input = { type: "prompt.submitted", promptId: "p2", text: "go on" };
    const by = (who: object, ...told: Input[]): Input[] => told.map((input) => ({ ...input, ...who }));
    const denied = [ask("ls"), answer("ls", "deny")];
    for (const [who, ...between] of [
      [{ promptId: "p1" }, next, ...denied],
      [{ agentId: "a1" as AgentId }, ...denied],
    ] as const) {
      const ended = [prompt, ...by(who, announced("a", "ls"), stop)];
      const run = late([], [...ended, ...between, ...by(who, pre("a", "ls")), pre("b", "ls")]);
      expect(run.calls.map(({ id, state, approval }) => [id, state, approval])).toEqual([
        ["a", "missing-post", "none"],
        ["b", "denied", "denied"],
      ]);
    }
  });
});

describe("the client's word that a call had begun", () => {
  const rejected = (id: string, beforeRun?: boolean): Input => ({
    type: "tool.denied",
    call: { toolUseId: id },
    verdict: "rejected",
    ...(beforeRun !== undefined && { beforeRun }),
  });

  test("C4, I-24: it counts whether it comes before or after a rejection that does not say", () => {
    const calls = [prompt, announced("a"), announced("b"), rejected("b", true)];
    for (const words of [
      [rejected("a", false), rejected("a")],
      [rejected("a"), rejected("a", false)],
    ]) {
      const run = new SessionRun().tell(...calls, ...words);
      expect(run.ends).toEqual(["a missing-post interrupted", "b denied direct"]);
    }
  });
});
