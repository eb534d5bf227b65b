// HTTP: logs
// The client's own telemetry: what it tells of calls and answers, and what it cannot do.

import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { at, listAt, textAt } from "../../support/engine/json.ts";
import {
  decision,
  ended,
  logRecord,
  logsBody,
  recordedLogs,
  TELEMETRY_ROUTE,
} from "../../support/http/logs.ts";
import { serve, type Served, TOKEN } from "../../support/http/served.ts";

const HOOKS = "/v1/hooks/claude-code";
const ONLY = "token-of-the-telemetry";

let served: Served;
beforeEach(async () => {
  served = await serve({
    place: {
      tokens: [
        { name: "local:tester", token: TOKEN },
        { name: "telemetry", token: ONLY, isNearOnly: true, only: TELEMETRY_ROUTE },
      ],
    },
  });
});
afterEach(() => served.stop());

const settled = async (): Promise<void> => {
  while (served.engine.meta().position < served.journal.tail())
    await new Promise((resolve) => setTimeout(resolve, 1));
};
const hook = async (name: string, more: object = {}, cwd = "/home/dev/shop"): Promise<void> => {
  await served.post(HOOKS, { session_id: "s1", cwd, hook_event_name: name, ...more });
  await settled();
};
const BASH = { tool_name: "Bash", tool_input: { command: "make" } };
/** A call that is asked about. */
const ask = async (id: string): Promise<void> => {
  await hook("PreToolUse", { ...BASH, tool_use_id: id });
  await hook("PermissionRequest", BASH);
};
const tell = (...records: readonly unknown[]) => served.post(TELEMETRY_ROUTE, logsBody(...records));
const items = async (path: string): Promise<readonly unknown[]> =>
  listAt((await served.get(path)).body, "items");
const call = async (id: string): Promise<unknown> => (await served.get(`/v1/tool-calls/${id}`)).body;
const approval = async (): Promise<unknown> => (await items("/v1/approvals"))[0];
const figure = async (name: string): Promise<string> =>
  new RegExp(`^signalbox_telemetry_${name}_total (\\d+)$`, "m").exec(
    String((await served.get("/metrics")).body),
  )?.[1] ?? "";

describe("TELEMETRY: what is told", () => {
  it.each([
    ["accept", "user_temporary", "approved", "terminal"],
    ["accept", "user_permanent", "approved", "terminal"],
    ["reject", "user_reject", "denied", "terminal"],
    ["reject", "user_abort", "denied", "terminal"],
    ["accept", "hook", "approved", "hook"],
    ["reject", "config", "denied", "client"],
  ] as const)("S3.24: %s by %s: the approval is %s, by the %s", async (verdict, source, state, by) => {
    await ask("t1");
    expect(await approval()).toMatchObject({ state: "pending" });
    expect(await tell(decision("s1", "t1", verdict, source))).toMatchObject({ status: 200, body: {} });
    expect(await approval()).toMatchObject({ state, by, observed: true });
    expect(at(await call("t1"), "execution")).toBe(verdict === "accept" ? "processing" : "denied");
  });

  it("G8: an answer at the terminal opens no gate: it carries no decision", async () => {
    const asking = "?approval=a1&wait=60000&closed=deny";
    const payload = {
      session_id: "s1",
      cwd: "/home/dev/shop",
      hook_event_name: "PermissionRequest",
      ...BASH,
    };
    await hook("PreToolUse", { ...BASH, tool_use_id: "t1" });
    await served.post(`/v1/gate${asking}`, payload);
    await tell(decision("s1", "t1", "accept", "user_temporary"));
    const { body } = await served.get("/v1/approvals/a1/answer");
    expect([textAt(body, "state"), at(body, "decision")]).toEqual(["approved", undefined]);
  });

  it("I-39: a decision that was given here stays what it is", async () => {
    await ask("t1");
    const asked = await approval();
    await served.post(`/v1/approvals/${textAt(asked, "id") ?? ""}/decision`, { decision: "deny" });
    await tell(decision("s1", "t1", "reject", "hook"));
    expect(await approval()).toMatchObject({ state: "denied", by: "local:tester" });
    expect(await call("t1")).toMatchObject({ denial: { cause: "direct", by: "local:tester" } });
  });

  it("TELEMETRY-3: it ends a call that no hook tells of; what a hook says later is added, and nothing is lost", async () => {
    for (const id of ["t1", "t2", "t3"]) await hook("PreToolUse", { ...BASH, tool_use_id: id });
    await hook("PostToolUse", { ...BASH, tool_use_id: "t3", tool_response: { stdout: "three" } });
    await tell(ended("s1", "t1", true), ended("s1", "t2", false), ended("s1", "t3", true));
    expect(at(await call("t1"), "execution")).toBe("completed");
    expect(await call("t2")).toMatchObject({ execution: "failed", error: "ShellError" });
    await hook("PostToolUse", { ...BASH, tool_use_id: "t1", tool_response: { stdout: "one" } });
    await hook("PostToolUseFailure", { ...BASH, tool_use_id: "t2", error: "Exit code 2" });
    expect(at(await call("t1"), "execution")).toBe("completed");
    expect(textAt(await call("t1"), "output")).toContain("one");
    expect(await call("t2")).toMatchObject({ execution: "failed", error: "Exit code 2" });
    expect(textAt(await call("t3"), "output")).toContain("three");
  });

  it("TELEMETRY-3: it never overrules a hook", async () => {
    await hook("PreToolUse", { ...BASH, tool_use_id: "t1" });
    await hook("PostToolUseFailure", { ...BASH, tool_use_id: "t1", error: "Exit code 2" });
    await tell(ended("s1", "t1", true), decision("s1", "t1", "reject", "user_reject"));
    expect(await call("t1")).toMatchObject({ execution: "failed", error: "Exit code 2" });
  });

  it("TELEMETRY-1, TELEMETRY-2, OTLP-1: of what the real client sent, the person's answers are taken, and no account", async () => {
    const [, first] = recordedLogs();
    const session = /"session.id","value":\{"stringValue":"([^"]+)"/.exec(JSON.stringify(first))?.[1] ?? "";
    for (const id of ["toolu_01", "toolu_02"])
      for (const name of ["PreToolUse", "PermissionRequest"])
        await hook(name, {
          session_id: session,
          tool_name: "Bash",
          tool_input: { command: id },
          ...(name === "PreToolUse" && { tool_use_id: id }),
        });
    for (const body of recordedLogs().slice(0, 7))
      expect(await served.post(TELEMETRY_ROUTE, body)).toMatchObject({ status: 200, body: {} });
    expect(await call("toolu_01")).toMatchObject({
      execution: "completed",
      permission: { decision: "accept", source: "user_temporary" },
    });
    expect(await call("toolu_02")).toMatchObject({ execution: "denied", denial: { cause: "direct" } });
    const kept = JSON.stringify(await served.journal.read(1, 1_000, new AbortController().signal));
    expect(kept).toContain("tool_decision");
    expect(kept).not.toMatch(/user\.id|0{64}|user_prompt|terminal\.type/);
    expect([await figure("taken"), Number(await figure("ignored")) > 5]).toEqual(["3", true]);
  });

  it("OTLP-2: sent again, it changes nothing", async () => {
    await ask("t1");
    const record = decision("s1", "t1", "accept", "user_temporary");
    await tell(record);
    const before = served.engine.meta().changes;
    expect(await tell(record)).toMatchObject({ status: 200, body: {} });
    expect(served.engine.meta().changes).toBe(before);
  });

  it("OTLP-2: two calls that end at one moment, under one number of the client's, both end then", async () => {
    for (const id of ["t1", "t2"]) await hook("PreToolUse", { ...BASH, tool_use_id: id });
    const both = ["t1", "t2"].map((id) =>
      logRecord("tool_result", "s1", { success: "true", tool_use_id: id, "event.sequence": 7 }),
    );
    expect(await tell(...both)).toMatchObject({ status: 200, body: {} });
    await settled();
    for (const id of ["t1", "t2"]) expect(at(await call(id), "execution")).toBe("completed");
    const entries = await served.journal.read(1, 1_000, new AbortController().signal);
    const times = entries
      .map(({ body }) => JSON.parse(body) as { readonly type?: string; readonly time?: number })
      .flatMap(({ type, time }) => (type === "claude-code.telemetry" ? [time] : []));
    expect(times).toEqual([1_795_380_517_834, 1_795_380_517_834]);
  });
});

describe("LOGS: bad input", () => {
  it("LOGS-1: it begins no session, and touches none that two workspaces have", async () => {
    await tell(decision("nobody", "t1", "accept", "user_temporary"));
    expect(await items("/v1/sessions")).toEqual([]);
    await hook("PreToolUse", { ...BASH, tool_use_id: "t1" });
    await served.post("/v1/events", {
      specversion: "1.0",
      id: "1",
      source: "other",
      type: "session.started",
      subject: "elsewhere/s1",
      data: { reason: "startup" },
    });
    const before = served.engine.meta().changes;
    await tell(ended("s1", "t1", true));
    expect([served.engine.meta().changes, await figure("homeless")]).toEqual([before, "2"]);
  });

  it("LOGS-2, WRITING-3: an event that cannot be read is a dead letter, and the others of its body are taken", async () => {
    await hook("PreToolUse", { ...BASH, tool_use_id: "t1" });
    const odd = logRecord("tool_decision", "s1", { tool_use_id: "t1", decision: "maybe", source: "config" });
    const told = await tell(
      odd,
      ended("s1", "t1", true),
      logRecord("tool_result", "s1", { success: "true" }),
    );
    expect(told.status).toBe(200);
    expect(at(told.body, "partialSuccess", "rejectedLogRecords")).toBe("1");
    expect(textAt(told.body, "partialSuccess", "errorMessage")).toContain("decision");
    expect(at(await call("t1"), "execution")).toBe("completed");
    expect(await items("/v1/dead-letters")).toHaveLength(1);
  });

  const nested = `${'{"resourceLogs":['.repeat(3_000)}${"]}".repeat(3_000)}`;
  test.each([
    ["no logs", JSON.stringify({ spans: [] }), 400],
    ["a list", "[]", 400],
    ["no JSON", "{", 400],
    ["nested deeply", nested, 400],
    [
      "an event without a session",
      JSON.stringify(
        logsBody({ attributes: [{ key: "event.name", value: { stringValue: "tool_result" } }] }),
      ),
      400,
    ],
    ["10 MB", JSON.stringify(logsBody(logRecord("x", "s1", { big: "x".repeat(10_000_000) }))), 413],
  ])("LOGS-2: %s is refused in words, with a dead letter", async (_, body, status) => {
    const told = await served.post(TELEMETRY_ROUTE, body);
    expect([told.status, typeof at(told.body, "error", "message")]).toEqual([status, "string"]);
    expect(await items("/v1/dead-letters")).toHaveLength(1);
    expect(await items("/v1/sessions")).toEqual([]);
  });

  it("OTLP-1: __proto__ as a field is no field", async () => {
    await hook("PreToolUse", { ...BASH, tool_use_id: "t1" });
    const text = JSON.stringify(
      logsBody(logRecord("tool_result", "s1", { ["__proto__"]: "x", success: "true", tool_use_id: "t1" })),
    );
    const told = await served.post(
      TELEMETRY_ROUTE,
      text.replaceAll('"key":"success"', '"__proto__":{"a":1},"key":"success"'),
    );
    expect(told.status).toBe(200);
    expect(at({}, "a")).toBeUndefined();
  });

  const send = (headers: Record<string, string>, body: Uint8Array<ArrayBuffer> | string) =>
    fetch(served.url + TELEMETRY_ROUTE, {
      method: "POST",
      headers: { Authorization: `Bearer ${TOKEN}`, ...headers },
      body,
    });
  it.each([
    ["protobuf", { "Content-Type": "application/x-protobuf" }, new Uint8Array([10, 0])],
    ["gzip", { "Content-Type": "application/json", "Content-Encoding": "gzip" }, gzipSync("{}")],
  ])("LOGS-2: %s is refused, and the answer says what to set", async (_, headers, body) => {
    const told = await send(headers, body);
    expect(told.status).toBe(415);
    expect(await told.text()).toContain("OTEL_EXPORTER_OTLP_LOGS_PROTOCOL=http/json");
  });

  it("GUARD-4: its own token counts for this route alone, in whatever form", async () => {
    const auth = { Authorization: `Bearer ${ONLY}` };
    expect((await served.post(TELEMETRY_ROUTE, logsBody(), auth)).status).toBe(200);
    expect((await served.post(TELEMETRY_ROUTE, logsBody(), { Authorization: "Bearer wrong" })).status).toBe(
      401,
    );
    for (const path of ["/v1/sessions", `/v1/sessions?x=${TELEMETRY_ROUTE}`, "/metrics"])
      expect((await served.get(path, auth)).status).toBe(403);
    for (const path of ["/v1/events", "/v1/approvals/a1/decision", "/v1/gate"])
      expect((await served.post(path, { decision: "approve" }, auth)).status).toBe(403);
    const signIn = await fetch(`${served.url}/?token=${ONLY}`, { redirect: "manual" });
    expect([signIn.status, signIn.headers.get("set-cookie")]).toEqual([401, null]);
  });
});

describe("S3.24: weak evidence of an answer elsewhere", () => {
  it("S3.24: an approval whose agent went on is maybe answered, until a source tells", async () => {
    await ask("t1");
    expect(at(await approval(), "maybeAnswered")).toBeUndefined();
    await hook("PreToolUse", { ...BASH, tool_input: { command: "ls" }, tool_use_id: "t2" });
    expect(await approval()).toMatchObject({ state: "pending", maybeAnswered: true });
    await tell(decision("s1", "t1", "accept", "user_temporary"));
    const told = await approval();
    expect([at(told, "state"), at(told, "maybeAnswered")]).toEqual(["approved", undefined]);
  });

  it.each(["gate-service", "hook"])(
    "DIALOG-1, DIALOG-2, S3.24: what a service asks by %s is not said to be answered elsewhere, however much its agent goes on",
    async (channel) => {
      const emit = async (type: string, data: object): Promise<void> => {
        const event = { specversion: "1.0", id: `${type}-${JSON.stringify(data)}`, source: "bot", type };
        const told = await served.post("/v1/events", { ...event, subject: "shop/chat-7", data });
        expect(told.status).toBe(200);
        await settled();
      };
      const call = { toolUseId: "t1", tool: "Bash", input: { command: "make" } };
      await emit("tool.started", call);
      await emit("approval.requested", { ...call, approvalId: "a1", channel });
      await emit("tool.started", { toolUseId: "t2", tool: "Bash", input: { command: "ls" } });
      expect(await approval()).toMatchObject({ state: "pending" });
      expect(at(await approval(), "maybeAnswered")).toBeUndefined();
    },
  );
});
