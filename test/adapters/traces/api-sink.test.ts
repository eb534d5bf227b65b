// One session, read in the SDK's own exporter beside what its queries show.

import { SpanStatusCode } from "@opentelemetry/api";
import type { ReadableSpan } from "@opentelemetry/sdk-trace-base";
import { expect, test } from "vitest";
import { WORKSPACE } from "../../support/engine/rig.ts";
import { call, said } from "../../support/sessions/said.ts";
import { endedBy } from "../../../runtime/traces/spans-of.ts";
import { Traced } from "../../support/traces/traced.ts";

/** The one span of a call. */
function spanOf(spans: readonly ReadableSpan[], id: string): ReadableSpan {
  const found = spans.filter(({ attributes }) => attributes["gen_ai.tool.call.id"] === id);
  expect(found, `spans of ${id}`).toHaveLength(1);
  return found[0] as ReadableSpan;
}

const ms = ([seconds, nanos]: readonly [number, number]): number => seconds * 1_000 + nanos / 1_000_000;

const looks = ({ attributes, status }: ReadableSpan) => [
  attributes["signalbox.call.outcome"],
  attributes["signalbox.approval.decision"],
  attributes["error.type"],
  status.code === SpanStatusCode.ERROR ? status.message : "no error",
];

/** A session in which each call ends in another way. */
async function everyOutcome(): Promise<Traced> {
  const traced = await Traced.start();
  const { rig } = traced;
  await rig.tell("s", said.sessionStart(), said.prompt("p"));
  await rig.tell("s", said.pre(call("free")));
  rig.clock.advance(40);
  await rig.tell("s", said.post(call("free")));
  await rig.tell("s", said.pre(call("let")), said.ask("a1", call("let")));
  rig.clock.advance(5_000);
  await traced.decide("s", "a1", "approve");
  rig.clock.advance(300);
  await rig.tell("s", said.post(call("let")));
  const bad = call("bad");
  await rig.tell("s", said.pre(bad), { type: "tool.failed", call: bad, error: "secret words" });
  await rig.tell("s", said.pre(call("cut")), { type: "tool.lost", call: call("cut"), cause: "interrupted" });
  await rig.tell("s", said.pre(call("gone")), { type: "tool.lost", call: call("gone"), cause: "lost" });
  await rig.tell("s", said.pre(call("no")), said.ask("a2", call("no")));
  rig.clock.advance(1_000);
  await traced.decide("s", "a2", "deny");
  await rig.tell("s", said.stop());
  return traced;
}

test("CALL-SPAN-1, CALL-SPAN-2: each outcome of a call looks otherwise, and one that nobody was asked about says so", async () => {
  const { spans } = await everyOutcome();
  const ids = ["free", "let", "no", "bad", "cut", "gone"];
  expect(Object.fromEntries(ids.map((id) => [id, looks(spanOf(spans, id))]))).toEqual({
    free: ["completed", "never-asked", undefined, "no error"],
    let: ["completed", "approved", undefined, "no error"],
    no: ["denied", "denied", "denied", "denied"],
    bad: ["failed", "never-asked", "tool_error", "tool_error"],
    cut: ["cancelled", "never-asked", "cancelled", "cancelled"],
    gone: ["lost", "never-asked", "lost", "lost"],
  });
});

test("API-SINK-1, API-SINK-2, SPANS-OF-3, SPANS-OF-4: spans hold one another in one trace, at the times of the views", async () => {
  const { spans, queries, sink } = await everyOutcome();
  expect(new Set(spans.map((span) => span.spanContext().traceId)).size).toBe(1);
  const requests = spans.filter(({ name }) => name === "invoke_agent");
  const views = queries.toolCallsOf("s", {}, { limit: 100 })?.items ?? [];
  expect(views.length).toBe(6);
  for (const { id, toolUseId = id, createdAt, closedAt } of views) {
    const { startTime, endTime, parentSpanContext } = spanOf(spans, toolUseId);
    expect([ms(startTime), ms(endTime)]).toEqual([createdAt, closedAt]);
    expect(parentSpanContext?.spanId).toBe(requests[0]?.spanContext().spanId);
  }
  const request = queries.listRequests({}, {}).items.map((each) => [each.createdAt, each.completedAt]);
  expect(requests.map(({ startTime, endTime }) => [ms(startTime), ms(endTime)])).toEqual(request);
  const waits = spans.filter(({ name }) => name.startsWith("approval"));
  expect(waits.map(({ startTime, endTime }) => ms(endTime) - ms(startTime))).toEqual([5_000, 1_000]);
  const asked = ["let", "no"].map((id) => spanOf(spans, id).spanContext().spanId);
  expect(waits.map(({ parentSpanContext }) => parentSpanContext?.spanId)).toEqual(asked);
  expect(sink.openCount).toBe(0);
});

test("CALL-SPAN-4: how long a tool ran leaves out how long somebody was waited for", async () => {
  const { rig } = await everyOutcome();
  const ran = rig.changes.flatMap((change) => endedBy(change)?.measure ?? []);
  const of = (name: string) => ran.filter((each) => each.name === name).map(({ seconds }) => seconds);
  // Free ran for 40 ms; the other one for 300 ms, behind five seconds of waiting; the third failed at once.
  expect(of("gen_ai.execute_tool.duration")).toEqual([0.04, 0.3, 0]);
  expect(of("signalbox.approval.duration")).toEqual([5, 1]);
});

test("API-SINK-3: of many open spans the oldest give way, and what they held has the trace all the same", async () => {
  const { sink, rig } = await Traced.start();
  const span = (n: number) => ({
    ...{ traceId: "a".repeat(32), spanId: n.toString(16).padStart(16, "0") },
    ...{ name: "x", startMs: rig.clock.now() },
  });
  for (let n = 1; n <= 10_050; n += 1) sink.begun(span(n));
  expect(sink.openCount).toBe(10_000);
  for (let n = 1; n <= 10_050; n += 1) sink.ended({ ...span(n), endMs: rig.clock.now(), attributes: {} });
  expect(sink.openCount).toBe(0);
});

test("API-SINK-3: the oldest span is ended where it gives way if a child of it has ended, so that it is exported", async () => {
  const traced = await Traced.start();
  const { sink, rig } = traced;
  const from = rig.clock.now();
  const idOf = (n: number) => n.toString(16).padStart(16, "0");
  const span = (n: number, startMs: number) => ({
    ...{ traceId: "a".repeat(32), spanId: idOf(n), name: `span ${n}`, startMs: from + startMs },
  });
  const ended = (name: string) =>
    traced.spans
      .filter((each) => each.name === name)
      .map(({ startTime, endTime }) => [ms(startTime) - from, ms(endTime) - from]);
  sink.begun(span(1, 1_000));
  sink.ended({ ...span(2, 2_000), parentId: idOf(1), endMs: from + 3_000, attributes: {} });
  for (let n = 3; n <= 10_001; n += 1) sink.begun(span(n, 4_000));
  expect(ended("span 1")).toEqual([]);
  sink.begun(span(10_002, 5_000));
  expect(ended("span 1")).toEqual([[1_000, 5_000]]);
  const [child, parent] = ["span 2", "span 1"].map((name) => traced.spans.find((each) => each.name === name));
  expect(child?.parentSpanContext?.spanId).toBe(parent?.spanContext().spanId);
  // A span that no child has named was not started, so only its own end exports it.
  sink.begun(span(10_003, 6_000));
  expect(ended("span 3")).toEqual([]);
  sink.ended({ ...span(3, 4_000), endMs: from + 7_000, attributes: {} });
  expect(ended("span 3")).toEqual([[4_000, 7_000]]);
  expect(sink.openCount).toBe(10_000);
});

test("APPROVAL-SPAN-2: the kind of who answered stands in the span of the wait", async () => {
  const traced = await Traced.start();
  const { rig } = traced;
  await rig.tell("s", said.prompt("p"));
  const ask = (id: string, more = {}) =>
    rig.tell("s", said.pre(call(id)), said.ask(`a-${id}`, call(id), more));
  await ask("person");
  await traced.decide("s", "a-person", "approve", "cli:ann");
  await ask("rule");
  await traced.decide("s", "a-rule", "approve", "rule:r1");
  await ask("policy");
  await traced.decide("s", "a-policy", "approve", "policy:p1");
  await ask("terminal");
  await rig.tell("s", said.answered("a-terminal", call("terminal"), "approve"));
  await ask("nobody", { deadlineAt: rig.clock.now() + 60_000, onDeadline: "ask" });
  await rig.pass(120_000, 60_000);
  const told = traced.spans
    .filter(({ name }) => name.startsWith("approval"))
    .map(({ attributes }) => [
      traced.queries.getApproval(String(attributes["signalbox.approval.id"]), { workspace: WORKSPACE })?.by,
      attributes["signalbox.approval.answered_by"],
    ]);
  expect(told).toEqual([
    ["cli:ann", "person"],
    ["rule:r1", "rule"],
    ["policy:p1", "rule"],
    ["terminal", "person"],
    ["deadline", "nobody"],
  ]);
});

test("CALL-SPAN-3, REQUEST-SPAN-1, APPROVAL-SPAN-1: no input, no prompt, no error text and no name is in a span", async () => {
  const { spans } = await everyOutcome();
  const told = spans.map(({ attributes, name, status, events }) => ({ attributes, name, status, events }));
  expect(JSON.stringify(told)).not.toMatch(/secret words|ann|do p|"command"|"ok"/);
});
