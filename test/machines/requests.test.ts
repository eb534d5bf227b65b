// Requests
// Which request and batch a message belongs to, and what their ends mean.

import { describe, expect, test } from "vitest";
import type { AgentId, Input, RequestId } from "../../machines/index.ts";
import { childAddress } from "../../machines/index.ts";
import { SessionRun } from "../support/sessions/session-run.ts";

const HOUR_MS = 60 * 60 * 1_000;
const gateway = (
  what: "created" | "queued" | "processing" | "completed" | "cancelled",
  id: string,
): Input => ({
  type: `request.${what}`,
  requestId: id as RequestId,
});
const prompt = (id: string): Input => ({ type: "prompt.submitted", promptId: id, text: "go" });
const announced = (toolUseId: string, messageId?: string): Input => ({
  type: "tool.announced",
  call: { toolUseId, tool: "Bash" },
  ...(messageId !== undefined && { messageId }),
});
const started = (toolUseId: string, agentId?: string): Input => ({
  type: "tool.started",
  call: { toolUseId, tool: "Bash" },
  ...(agentId !== undefined && { agentId: agentId as AgentId }),
});
const asked = (toolUseId: string): Input => ({
  type: "approval.requested",
  call: { toolUseId, tool: "Bash" },
  channel: "gateway",
});
const stopped: Input = { type: "turn.stopped", outcome: "completed" };
const ended: Input = { type: "session.ended" };
const states = (run: SessionRun) => run.requests.map(({ id, state }) => `${id} ${state}`);

describe("a gateway's requests", () => {
  test("R3: one that is created meanwhile takes nothing from the one at work", () => {
    const run = new SessionRun().tell(
      gateway("created", "r1"),
      gateway("processing", "r1"),
      gateway("created", "r2"),
    );
    run.tell(announced("t1"), stopped);
    expect(run.calls.map(({ context }) => context.requestId)).toEqual(["r1"]);
    expect(states(run)).toEqual(["r1 completed", "r2 created"]);
  });

  test("R3: a prompt joins the oldest that has none; the next prompt the next", () => {
    const run = new SessionRun().tell(
      gateway("created", "r1"),
      gateway("created", "r2"),
      prompt("p1"),
      stopped,
    );
    run.tell(prompt("p2"), announced("t1"));
    expect(states(run)).toEqual(["r1 completed", "r2 processing"]);
    expect(run.calls.map(({ context }) => context.requestId)).toEqual(["r2"]);
  });

  test("R1: one that was begun ends with its session; one that waits for its turn goes on waiting", () => {
    const run = new SessionRun().tell(
      gateway("created", "r1"),
      gateway("processing", "r1"),
      gateway("created", "r2"),
    );
    run.tell(ended);
    expect(states(run)).toEqual(["r1 failed", "r2 created"]);
    expect(run.requests[0]?.context.error).toBe("interrupted");
  });

  test("R1: a continuation never takes the name of another request, nor one that is too long for an id", () => {
    const long = "p".repeat(128);
    for (const [first, other] of [
      ["job", "job_2"],
      [long, "r9"],
    ] as const) {
      const run = new SessionRun().tell(
        gateway("created", first),
        gateway("processing", first),
        gateway("created", other),
        gateway("completed", first),
        started("t1"),
      );
      const next = run.requests.find(({ context }) => context.continues === first);
      expect(run.calls.map(({ context }) => context.requestId)).toEqual([next?.id]);
      expect(next?.id).toMatch(/^r_[a-z2-7]{52}$/);
    }
  });

  test("B1, I-11: a denial is followed by later calls of its own request, not by those of the next", () => {
    const run = new SessionRun().tell(
      gateway("created", "r1"),
      gateway("processing", "r1"),
      started("t1"),
      asked("t1"),
    );
    const [question] = run.approvals;
    if (!question) throw new Error("No question was asked.");
    run.tell({ type: "decision", approvalId: question.context.id, decision: "deny", by: "local:ann" });
    run.tell(
      started("t2"),
      gateway("completed", "r1"),
      gateway("created", "r2"),
      gateway("processing", "r2"),
    );
    run.tell(started("t3"), started("t4"));
    expect(run.calls.map(({ id, state }) => `${id} ${state}`)).toEqual([
      "t1 denied",
      "t2 denied",
      "t3 processing",
      "t4 processing",
    ]);
    const batches = run.calls.map(({ context }) => context.batchId);
    expect(batches).toEqual([batches[0], batches[0], batches[2], batches[2]]);
    expect(batches[2]).not.toBe(batches[0]);
  });

  test("R2: what was asked before it began makes it wait from the first moment", () => {
    const run = new SessionRun().tell(gateway("created", "r1"), asked("t1"), gateway("processing", "r1"));
    expect(states(run)).toEqual(["r1 waiting"]);
  });

  test("R2: late word of a failure leaves one that completed without an error", () => {
    const run = new SessionRun().tell(
      gateway("created", "r1"),
      gateway("processing", "r1"),
      gateway("completed", "r1"),
    );
    run.tell(gateway("cancelled", "r1"));
    expect(run.requests.map(({ state, context }) => [state, context.error])).toEqual([
      ["completed", undefined],
    ]);
    expect(run.requests[0]?.context.annotations).toHaveLength(1);
  });
});

describe("ends", () => {
  test("C3: a session's end reaches what a stopped agent was heard to do since", () => {
    const stop: Input = { type: "turn.stopped", outcome: "completed", agentId: "a1" as AgentId };
    const run = new SessionRun().tell(prompt("p1"), started("t1", "a1"), stop, started("t2", "a1"), ended);
    expect(run.ends).toEqual(["t1 missing-post unreported", "t2 missing-post interrupted"]);
  });

  test("C3: a new process reaches a call that a stopped agent took up again", () => {
    const run = new SessionRun().tell(prompt("p1"), started("t1", "a1"));
    run.tell({ type: "tool.deferred", call: { toolUseId: "t1" }, agentId: "a1" as AgentId }, ended);
    expect(run.ends).toEqual(["t1 queued"]);
    run.tell({ type: "session.started", reason: "resume" }, started("t1", "a1"));
    run.tell({ type: "session.started", reason: "resume" });
    expect(run.ends).toEqual(["t1 missing-post killed"]);
  });

  test("S1.51, I-15: what is open of a request that is over is given up before it is taken away, and counted out", () => {
    const run = new SessionRun().tell(
      gateway("created", "r1"),
      gateway("processing", "r1"),
      announced("t1"),
      asked("t1"),
    );
    run.tell(gateway("completed", "r1"));
    expect(run.session?.context.counts).toMatchObject({ openCalls: 1, pendingApprovals: 1 });
    run.at += 25 * HOUR_MS;
    const address = childAddress(run.home, "request", "r1");
    run.tell({ type: "timer.fired", address, timer: "removal", generation: 1 });
    expect(run.ends).toEqual(["t1 missing-post lost"]);
    run.at += 25 * HOUR_MS;
    run.tell({ type: "timer.fired", address, timer: "removal", generation: 2 });
    expect(run.session?.context.counts).toMatchObject({ openCalls: 0, pendingApprovals: 0 });
    expect([run.requests, run.calls, run.approvals]).toEqual([[], [], []]);
  });
});

describe("batches", () => {
  test("B1: a late PostToolBatch closes its own batch, not the one that is open now", () => {
    const run = new SessionRun().tell(prompt("p1"), announced("t1", "m1"), announced("t2", "m2"));
    run.tell({ type: "tool.batch", calls: [{ toolUseId: "t1", tool: "Bash" }] }, announced("t3", "m2"));
    expect(run.calls.map(({ id, context }) => `${id} ${context.batchId}`)).toEqual([
      "t1 b1",
      "t2 b2",
      "t3 b2",
    ]);
    expect(run.ends).toEqual(["t1 missing-post unreported", "t2 queued", "t3 queued"]);
  });

  test("B1: the index is arrival order until the client tells the call order", () => {
    const run = new SessionRun().tell(prompt("p1"), started("t2"), started("t1"));
    expect(run.calls.map(({ context }) => context.index)).toEqual([0, 1]);
    run.tell({ type: "tool.batch", calls: ["t1", "t2"].map((toolUseId) => ({ toolUseId, tool: "Bash" })) });
    expect(run.calls.map(({ id, context }) => `${id} ${context.index}`)).toEqual(["t2 1", "t1 0"]);
  });
});
