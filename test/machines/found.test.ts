// Found
// Histories on which the machines and the reference model once differed, as small as they were found. In each, one of
// the two was wrong and was mended: the machines for denials that were thrown away and sessions that came back to life, the
// model for the hour of silence and the order of a client's list.

import { expect, test } from "vitest";
import type { AgentId, Input, RequestId } from "../../machines/index.ts";
import { toolInput } from "../../runtime/canonical.ts";
import { compare } from "../support/model/compare.ts";
import type { Session, Step } from "../support/sessions/script.ts";
import { SessionRun } from "../support/sessions/session-run.ts";

const like = (n: number, tool = "Bash") => ({ tool, input: toolInput({ n }) });
const hook = (hear: Input): Step => ({ hear, channel: "test.hook" });
const stream = (hear: Input): Step => ({ hear, channel: "test.stream" });
const of = (promptId: string, step: Step): Step =>
  "hear" in step ? { ...step, hear: { ...step.hear, promptId } as Input } : step;
const by = (agent: string, step: Step): Step =>
  "hear" in step ? { ...step, hear: { ...step.hear, agentId: agent as AgentId } as Input } : step;

const prompt = (promptId: string): Step => hook({ type: "prompt.submitted", promptId, text: "go" });
const announced = (n: number, messageId?: string, tool?: string): Step =>
  stream({ type: "tool.announced", call: like(n, tool), ...(messageId !== undefined && { messageId }) });
const started = (n: number, tool?: string): Step => hook({ type: "tool.started", call: like(n, tool) });
const finished = (n: number, output = "done", tool?: string): Step =>
  hook({ type: "tool.finished", call: like(n, tool), output });
const asked = (n: number, onDeadline: "ask" | "deny" = "ask", tool?: string): Step =>
  hook({ type: "approval.requested", call: like(n, tool), channel: "hook", onDeadline });
const denied = (decide: number, interrupt = false): Step => ({
  decide,
  decision: "deny",
  hash: "shown",
  interrupt,
});
const listed = (...calls: Extract<Input, { type: "tool.batch" }>["calls"]): Step =>
  hook({ type: "tool.batch", calls });
const ended = hook({ type: "session.ended" });
const HOURS_2: Step = { hang: 0, afterMs: 7_200_000 };
const MINUTES_20: Step = { hang: 0, afterMs: 1_200_000 };
const MINUTE: Step = { orphans: true };

/** The session's state, then each call's, after a history on which both must agree. */
function endOf(...steps: readonly Step[]): readonly string[] {
  const session: Session = { policy: "strict", named: false, steps };
  compare(session);
  const run = new SessionRun({ policy: { cascade: session.policy } });
  for (const step of steps) run.take(step);
  const ran = run.calls.map(({ state, context }) => (context.executedAfterDenial ? `${state}, ran` : state));
  return [run.session?.state ?? "none", ...ran];
}

test("G16, C4: seed 118: a result of the prompt before takes no denial of this prompt's call", () => {
  const before = [prompt("p1"), of("p1", asked(0)), of("p1", finished(0)), prompt("p2")];
  expect(endOf(...before, of("p2", asked(0, "deny")), denied(3), MINUTE, of("p2", started(0)))).toEqual([
    "running",
    "completed",
    "denied",
  ]);
});

test("G16, C4: seed 119: nor does one that came before the first prompt, while a list of calls is told", () => {
  const ends = endOf(
    finished(0),
    prompt("p1"),
    of("p1", finished(0)),
    of("p1", asked(0, "deny")),
    prompt("p2"),
    announced(0, "b5"),
    announced(1, "b5"),
    of("p1", asked(0, "deny")),
    denied(3),
    of("p2", listed(like(0), like(0), like(1))),
    MINUTE,
    announced(0),
  );
  expect(ends).toEqual(["running", "completed", "missing-post", "missing-post", "denied, ran", "queued"]);
});

test("G16, C4: seed 114: a denial by deadline is for the result of its own prompt, not for the next call", () => {
  const ends = endOf(
    prompt("p1"),
    announced(0),
    of("p1", finished(0)),
    of("p1", asked(0, "deny")),
    of("p1", stream({ type: "tool.lost", call: like(0), cause: "killed" })),
    of("p1", finished(0, "other")),
    { expire: 0 },
    prompt("p2"),
    of("p2", started(0)),
    ended,
    prompt("p2"),
  );
  expect(ends).toEqual(["ended", "completed", "missing-post", "denied", "completed"]);
});

test("G16, C4: seed 116: a call of a gateway's request takes no denial of the prompt's", () => {
  const ends = endOf(
    prompt("p1"),
    hook({ type: "process.gone" }),
    hook({ type: "request.created", requestId: "r0" as RequestId }),
    of("p1", asked(2, "ask", "Write")),
    denied(0, true),
    announced(2, "b5", "Write"),
    announced(3, "b5"),
    of("p1", started(0)),
    announced(2, undefined, "Write"),
  );
  expect(ends).toEqual(["running", "queued", "queued", "processing", "denied"]);
});

test("G16, C4: seed 121: what ended before the question takes no denial when the session ends", () => {
  const ends = endOf(
    prompt("p1"),
    announced(0),
    of("p1", finished(0)),
    of("p1", finished(0, "other")),
    prompt("p2"),
    of("p2", asked(0, "deny")),
    denied(0),
    of("p2", stream({ type: "tool.denied", call: like(0), verdict: "hook" })),
    ended,
    of("p2", asked(0, "deny")),
  );
  expect(ends).toEqual(["ended", "completed", "completed", "denied"]);
});

test("G16, C4: seed 125: a result without a prompt takes no denial of a prompt that came later", () => {
  const ends = endOf(
    asked(0),
    finished(0),
    prompt("p1"),
    of("p1", asked(0, "deny")),
    denied(7),
    of("p1", finished(0)),
    prompt("p2"),
    MINUTE,
    of("p2", hook({ type: "turn.stopped", outcome: "completed" })),
  );
  expect(ends).toEqual(["idle", "completed", "denied, ran"]);
});

test("G16, C4: seed 126: a rejection of the prompt before takes no denial of this prompt's call", () => {
  const ends = endOf(
    announced(0),
    finished(0),
    prompt("p1"),
    of("p1", stream({ type: "tool.denied", call: like(0), verdict: "rejected" })),
    prompt("p2"),
    of("p2", asked(0)),
    denied(0, true),
    MINUTE,
    of("p2", started(0)),
  );
  expect(ends.slice(-1)).toEqual(["denied"]);
});

test.each([
  ["5", [prompt("p1"), ended, of("p1", finished(0)), of("p1", asked(0, "deny")), announced(0, "m0")]],
  ["113", [ended, asked(0, "deny"), announced(0, "m0"), asked(0, "deny")]],
])("G24, S3.17: seed %s: a call that is over as it comes brings no ended session back", (_, steps) => {
  const [state] = endOf(announced(0, "m0"), asked(0, "deny"), ...steps);
  expect(state).toBe("ended");
});

test("G24, S3.17: seed 109: nor does one of a message whose calls were given up", () => {
  const stop = hook({ type: "turn.stopped", outcome: "completed" });
  const lost = [announced(0, "b0"), announced(1, "b0"), stop, asked(0), announced(0), announced(0), ended];
  expect(endOf(...lost, asked(1, "deny"), announced(1, "b0"))[0]).toBe("ended");
});

test("G24, S3.17: seed 120: nor does a subagent's", () => {
  const late = [by("a2", asked(0)), by("a2", announced(0, "m0"))];
  expect(endOf(by("a2", announced(0, "m0", "Write")), ended, ...late)[0]).toBe("ended");
});

test("G24, S3.17: one that is left open does", () => {
  expect(endOf(prompt("p1"), ended, of("p1", started(0)))).toEqual(["running", "processing"]);
});

test("R2: seed 103: the hour of silence begins anew when a question is no longer waited for", () => {
  const waited = [announced(0), asked(0), HOURS_2, { expire: 0 }];
  expect(endOf(...waited, MINUTES_20)).toEqual(["running", "queued"]);
  expect(endOf(...waited, MINUTES_20, MINUTES_20, MINUTES_20)).toEqual(["idle", "missing-post"]);
});

test("R2: seed 114: also when the client's list closes the call that it was about", () => {
  const ends = endOf(
    ...[0, 1].map((n) => by("a2", announced(n, "b0"))),
    by("a2", asked(1, "deny")),
    HOURS_2,
    by("a2", listed(like(1), like(0, "Read"))),
    MINUTES_20,
    by("a2", started(0, "Read")),
  );
  expect(ends.slice(0, 3)).toEqual(["running", "queued", "missing-post"]);
});

test("C3, C5: seed 103: a client's list closes its calls in its order, those seen first in it among them", () => {
  const ends = endOf(
    by("a1", announced(0, "m0", "Read")),
    by("a1", announced(0, "m1")),
    by("a1", stream({ type: "tool.denied", call: like(0), verdict: "hook" })),
    by("a1", listed(like(0, "Read"), like(0, "Read"), like(0))),
    by("a1", finished(0, "done", "Read")),
  );
  expect(ends).toEqual(["running", "completed", "denied", "denied"]);
});

test("I-10, I-47: seed 4711: a denial that comes with its call reaches whom a call of the same list waited for", () => {
  const named = (toolUseId: string) => ({ toolUseId, ...like(0) });
  const steps: readonly Step[] = [
    hook({ type: "approval.requested", call: named("t0"), channel: "hook" }),
    stream({ type: "tool.announced", call: named("t1") }),
    stream({ type: "tool.announced", call: named("t2"), parentToolUseId: "t1" }),
    denied(0, true),
    listed(named("t0"), named("t1")),
  ];
  compare({ policy: "interrupt", named: true, steps });
  const run = new SessionRun({ policy: { cascade: "interrupt" } });
  for (const step of steps) run.take(step);
  expect(run.ends).toEqual(["t1 missing-post unreported", "t2 missing-post interrupted", "t0 denied direct"]);
});

test("C2, C4: seed 825760408: a deferral opens a call whose denial was inferred, at work if it began anew before", () => {
  const call = { toolUseId: "t0", ...like(0) };
  const again = hook({ type: "tool.started", call });
  const steps: readonly Step[] = [
    again,
    listed(call, { toolUseId: "t1", ...like(0, "Read"), error: "no such tool" }),
    again,
    { hear: { type: "tool.deferred", call }, channel: "test.transcript" },
  ];
  compare({ policy: "strict", named: true, steps });
  const run = new SessionRun();
  for (const step of steps) run.take(step);
  expect(run.ends).toEqual(["t0 processing", "t1 failed"]);
});

test("C2, C4: of a call that was stopped, the same is said whether its loss was reported before its denial or not at all", () => {
  const call = { toolUseId: "t0", ...like(0) };
  const lost = stream({ type: "tool.lost", call, cause: "killed" });
  const rejected = stream({ type: "tool.denied", call, verdict: "rejected", unmarked: true });
  const failed: Step = {
    hear: { type: "tool.failed", call, error: "", bare: true },
    channel: "test.telemetry",
  };
  for (const order of [
    [lost, rejected, failed],
    [lost, failed, rejected],
    [rejected, failed],
  ]) {
    const steps = [stream({ type: "tool.announced", call }), ...order];
    compare({ policy: "strict", named: true, steps });
    const run = new SessionRun();
    for (const step of steps) run.take(step);
    expect(run.ends).toEqual(["t0 missing-post interrupted"]);
  }
});
