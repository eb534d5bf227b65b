// HTTP, metrics
// What /metrics counts and times, compared with the lists and the log of changes.

import { afterEach, beforeEach, expect, test } from "vitest";
import { changesOfRow, rowsAfter } from "../../../runtime/rows/change-log.ts";
import type { StateChange } from "../../../runtime/rows/changes.ts";
import type { RequestView } from "../../../runtime/rows/views.ts";
import { listAt } from "../../support/engine/json.ts";
import { recording } from "../../support/sessions/recording.ts";
import { event, serve, type Served } from "../../support/http/served.ts";

let served: Served;
beforeEach(async () => {
  served = await serve();
});
afterEach(() => served.stop());

/** Every line with a number, by the text before it. */
async function numbers(of = served): Promise<ReadonlyMap<string, number>> {
  const { body } = await of.get("/metrics");
  const told = String(body)
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    told.map((line) => {
      const at = line.lastIndexOf(" ");
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }),
  );
}

async function play(name: string, until = (_: unknown): boolean => false): Promise<void> {
  for (const { value } of recording(name).hooks.lines) {
    const { payload } = value as { readonly payload: unknown };
    served.clock.advance(730);
    expect((await served.post("/v1/hooks/claude-code", payload)).status).toBe(200);
    if (until(payload)) return;
  }
}

/** The log of changes as it stands on the disk. */
function changes(): readonly StateChange[] {
  return [...rowsAfter(served.engine.store, 0, Infinity, Infinity)].flatMap((row) => changesOfRow(row));
}

function tally(of: readonly string[]): ReadonlyMap<string, number> {
  const counted = new Map<string, number>();
  for (const each of of) counted.set(each, (counted.get(each) ?? 0) + 1);
  return counted;
}

const settled = async (): Promise<void> => {
  await expect.poll(async () => (await numbers()).get("signalbox_waiting")).toBe(0);
  await expect.poll(async () => (await numbers()).get("signalbox_journal_lag")).toBe(0);
};

test.each(["s3-permreq-deny-interrupt", "s1-ten-allowed", "s5-fail"])(
  "S1.39: after the recording %s transitions and times match the log of changes",
  async (name) => {
    await play(name);
    await settled();
    const told = await numbers();
    const log = changes();
    const names = { request: "request", toolcall: "tool_call", approval: "approval" } as const;
    for (const [entity, called] of Object.entries(names)) {
      const entered = tally(log.filter((each) => each.entity === entity).map(({ to }) => to));
      const found = [...told].flatMap(([key, n]) => {
        const [, state] = new RegExp(`^signalbox_${called}_transitions_total{state="(.*)"}$`).exec(key) ?? [];
        return state === undefined ? [] : [[state, n] as const];
      });
      expect(new Map(found)).toEqual(entered);
    }
    const ended = listAt((await served.get("/v1/requests")).body, "items") as unknown as RequestView[];
    expect(ended.length).toBeGreaterThan(0);
    for (const state of new Set(ended.map((each) => each.state))) {
      const those = ended.filter((each) => each.state === state);
      expect(told.get(`signalbox_requests{state="${state}"}`)).toBe(those.length);
      if (state === "processing") continue;
      const seconds =
        those.reduce((sum, { completedAt = 0, createdAt }) => sum + completedAt - createdAt, 0) / 1_000;
      expect(seconds).toBeGreaterThan(0);
      expect(told.get(`signalbox_request_seconds_sum{state="${state}"}`)).toBeCloseTo(seconds, 6);
      expect(told.get(`signalbox_request_seconds_count{state="${state}"}`)).toBe(those.length);
      expect(told.get(`signalbox_request_seconds_bucket{state="${state}",le="+Inf"}`)).toBe(those.length);
      const within = those.filter(({ completedAt = 0, createdAt }) => completedAt - createdAt <= 15_000);
      expect(told.get(`signalbox_request_seconds_bucket{state="${state}",le="15"}`)).toBe(within.length);
    }
    const calls = log.filter(
      ({ entity, view }) => entity === "toolcall" && (view as { closedAt?: number }).closedAt !== undefined,
    );
    const inAll = [...told].filter(([key]) => key.startsWith("signalbox_tool_call_seconds_count"));
    expect(inAll.reduce((sum, [, n]) => sum + n, 0)).toBe(
      calls.filter(({ to }) => to !== "annotated").length,
    );
  },
);

test("S2.57, S2.59: of each call that ended it is counted once how it was found, and where its intent came from, none apart", async () => {
  await play("s1-ten-allowed");
  const hook = (id: string, name: string, more: object): Promise<unknown> =>
    served.post("/v1/hooks/claude-code", {
      session_id: "s1",
      cwd: "/home/dev/shop",
      hook_event_name: name,
      tool_name: "Bash",
      tool_input: { command: id },
      ...more,
    });
  const session = { hook_event_name: "SessionStart", source: "startup" };
  await hook("-", "SessionStart", session);
  await hook("a", "PreToolUse", {});
  await hook("a", "PostToolUse", { tool_response: "done" });
  await hook("b", "PreToolUse", { tool_use_id: "b", tool_input: { command: "b", description: "List it" } });
  await hook("b", "PostToolUseFailure", { tool_use_id: "b", error: "Exit code 1" });
  await settled();
  const told = await numbers();
  const of = (family: string): Readonly<Record<string, number>> =>
    Object.fromEntries([...told].filter(([key]) => key.startsWith(`signalbox_tool_call_${family}_total`)));
  const calls = listAt((await served.get("/v1/sessions/s1/tool-calls")).body, "items");
  expect(calls).toHaveLength(2);
  expect(of("matches")).toEqual({
    'signalbox_tool_call_matches_total{how="id"}': 11,
    'signalbox_tool_call_matches_total{how="input"}': 1,
  });
  const { [`signalbox_tool_call_intents_total{source="none"}`]: none, ...found } = of("intents");
  expect([none, Object.values(found).reduce((sum, n) => sum + n, 0)]).toEqual([1, 11]);
  expect(found['signalbox_tool_call_intents_total{source="description"}']).toBe(1);
});

test("S2.57–S2.60, AWAITED-WORDS-1: words that were there at a call's end, that came later and that never came are counted apart", async () => {
  const tell = async (toolUseId: string, type: string, more: object = {}): Promise<void> => {
    const data = { tool: "Bash", toolUseId, input: { command: toolUseId }, ...more };
    expect((await served.post("/v1/events", event(type, data))).status).toBe(200);
  };
  const intent = { text: "To see.", source: "message", confidence: "certain" };
  const told = async (): Promise<object> => {
    const all = [...(await numbers())].filter(([key]) =>
      /_intent_(lookups|awaited|late.*(sum|count))/.test(key),
    );
    return Object.fromEntries(all.map(([key, n]) => [key.replace("signalbox_intent_", ""), n]));
  };
  await tell("a", "tool.announced", { intent });
  for (const id of ["b", "c"]) await tell(id, "tool.started");
  for (const id of ["a", "b", "c"]) await tell(id, "tool.finished");
  await settled();
  expect(await told()).toEqual({
    awaited: 2,
    'lookups_total{outcome="found"}': 1,
    late_seconds_count: 1,
    late_seconds_sum: 0,
  });
  served.clock.advance(750);
  await tell("b", "tool.announced", { intent });
  served.clock.advance(60_000);
  await tell("d", "tool.started");
  await tell("d", "tool.finished");
  await settled();
  expect(await told()).toEqual({
    awaited: 1,
    'lookups_total{outcome="found"}': 2,
    'lookups_total{outcome="none"}': 1,
    late_seconds_count: 2,
    late_seconds_sum: 0.75,
  });
});

test("S0.15, TALLY-2: calls without a result, results without a call and dropped ones are counted, even after a restart", async () => {
  await play(
    "s1-ten-allowed",
    (hook) => (hook as { hook_event_name: string }).hook_event_name === "PreToolUse",
  );
  const orphan = { tool: "Read", toolUseId: "t-orphan", input: { path: "x" } };
  for (let n = 0; n < 3; n++)
    expect(
      (await served.post("/v1/events", event("tool.finished", { ...orphan, toolUseId: `t${n}` }))).status,
    ).toBe(200);
  const expected = {
    signalbox_pending_calls: 1,
    signalbox_pending_results: 3,
    signalbox_dropped_results: 0,
    signalbox_pending_partial: 0,
  };
  const pending = async (of: Served): Promise<object> => {
    const told = await numbers(of);
    return Object.fromEntries(Object.keys(expected).map((name) => [name, told.get(name)]));
  };
  expect(await pending(served)).toEqual(expected);
  const { disk, clock, ids } = served;
  await served.stop();
  served = await serve({ disk, clock, ids });
  expect(await pending(served)).toEqual(expected);
  expect((await numbers()).get("signalbox_recovered_requests")).toBe(1);
  const lost = `signalbox_pending_results`;
  expect(
    (await served.post("/v1/events", event("tool.started", { ...orphan, toolUseId: "t1" }))).status,
  ).toBe(200);
  expect((await numbers()).get(lost)).toBe(2);
});

test("S1.39, METRICS-1, TALLY-1: deliveries, approval waits, writes and lookups are shown, and no id or name that was sent", async () => {
  const secret = "s3cret-id";
  const send = async (type: string, data: object): Promise<void> => {
    served.clock.advance(2_000);
    expect(
      (await served.post("/v1/events", event(type, data, { subject: `${secret}/${secret}` }))).status,
    ).toBe(200);
  };
  await send("request.created", { requestId: secret });
  await send("request.processing", { requestId: secret });
  await send("approval.requested", { approvalId: secret, requestId: secret, tool: secret, input: {} });
  served.clock.advance(5_000);
  expect((await served.post(`/v1/approvals/${secret}/decision`, { decision: "deny" })).status).toBe(200);
  await send("request.completed", { requestId: secret });
  for (const state of ["delivering", "failed", "delivering", "delivered"])
    await send("request.callback", { requestId: secret, state });
  expect((await served.get(`/v1/requests/${secret}`)).status).toBe(200);
  const told = await numbers();
  expect(told.get('signalbox_callbacks_total{state="delivering"}')).toBe(2);
  expect(told.get('signalbox_callbacks_total{state="delivered"}')).toBe(1);
  expect(told.get('signalbox_approval_wait_seconds_sum{state="denied"}')).toBe(5);
  expect(told.get("signalbox_request_queue_seconds_sum")).toBe(2);
  expect(told.get("signalbox_write_seconds_count")).toBe(8);
  expect(told.get("signalbox_lookup_seconds_count")).toBe(1);
  expect([...told.keys()].join("\n")).not.toContain(secret);
  for (const [key, value] of told) {
    expect(key).toMatch(/^signalbox_[a-z_]+({[a-z]+="[^"]*"(,le="[^"]*")?})?$/);
    expect(Number.isFinite(value)).toBe(true);
  }
});
