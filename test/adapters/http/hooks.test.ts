// HTTP: hooks
// A client sends its own hooks unchanged: they are taken at once and never make the client wait.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { workspaceName } from "../../../runtime/door/workspace.ts";
import { at, listAt, textAt } from "../../support/engine/json.ts";
import { recording } from "../../support/sessions/recording.ts";
import { serve, type Served } from "../../support/http/served.ts";

let served: Served;
beforeEach(async () => {
  served = await serve();
});
afterEach(() => served.stop());

const HOOKS = "/v1/hooks/claude-code";
const stop = { session_id: "s1", hook_event_name: "Stop", cwd: "/home/dev/shop" };
const items = async (path: string): Promise<readonly unknown[]> =>
  listAt((await served.get(path)).body, "items");
/** Waits until the engine has applied its whole journal. */
const settled = async (): Promise<void> => {
  while (served.engine.meta().position < served.journal.tail())
    await new Promise((resolve) => setTimeout(resolve, 1));
};

describe("S3.1: hooks over HTTP", () => {
  it("S3.1: a recorded session, posted hook by hook, shows its ten calls completed", async () => {
    for (const { value } of recording("s1-ten-allowed").hooks.lines) {
      const answered = await served.post(HOOKS, at(value, "payload"));
      expect([answered.status, answered.body]).toEqual([200, {}]);
    }
    await settled();
    const [session] = await items("/v1/sessions");
    expect(session).toMatchObject({
      workspace: workspaceName("/home/dev/shop"),
      source: "claude-code",
      state: "ended",
    });
    const calls = await items(`/v1/sessions/${textAt(session, "id") ?? ""}/tool-calls`);
    expect(calls.map((call) => at(call, "execution"))).toEqual(Array(10).fill("completed"));
  });

  it("S2.75: a hook means the same bare and wrapped; each delivery counts, for hooks carry no id", async () => {
    const pre = { ...stop, hook_event_name: "PreToolUse", tool_name: "Read", tool_input: { a: 1 } };
    await served.post(HOOKS, pre);
    await served.post(HOOKS, { hook: pre });
    await settled();
    expect(await items("/v1/sessions/s1/tool-calls")).toHaveLength(2);
  });

  it("WORKSPACE-1: a session stays in the workspace of its first hook, even after a restart and in another folder", async () => {
    await served.post(HOOKS, stop, { "Signalbox-Workspace": "mine" });
    await served.post(HOOKS, { ...stop, session_id: "s2" }, { "Signalbox-Workspace": "" });
    const { disk, clock, ids } = served;
    await served.stop();
    served = await serve({ disk, clock, ids });
    await served.post(HOOKS, { ...stop, cwd: "/home/dev/other" });
    await served.post(HOOKS, { ...stop, session_id: "s2", cwd: "/home/dev/other" });
    await settled();
    const sessions = await items("/v1/sessions");
    expect(sessions.map((each) => [at(each, "id"), at(each, "workspace")]).sort()).toEqual([
      ["s1", "mine"],
      ["s2", workspaceName("/home/dev/shop")],
    ]);
  });

  it("FOREIGN-ID-1: a foreign session id is kept under its hash, and found by its original form", async () => {
    await served.post(HOOKS, { ...stop, session_id: "sess/1:ä" });
    await settled();
    const found = await served.get(`/v1/sessions/${encodeURIComponent("sess/1:ä")}`);
    expect(textAt(found.body, "id")).toMatch(/^h_[a-z2-7]{52}$/);
  });

  it("SHRINK-2: a tool's long answer is shortened before it is journalled; its input is not", async () => {
    const long = "x".repeat(600 * 1024);
    const call = { ...stop, tool_name: "Write", tool_use_id: "w1", tool_input: { content: long } };
    await served.post(HOOKS, { ...call, hook_event_name: "PreToolUse" });
    await served.post(HOOKS, { ...call, hook_event_name: "PostToolUse", tool_response: { text: long } });
    await settled();
    const { body } = await served.get("/v1/tool-calls/w1");
    expect(at(body, "execution")).toBe("completed");
    expect(at(body, "input", "content")).toBe(long);
    expect(textAt(body, "output")?.length).toBeLessThan(3000);
  });
});

describe("WRITING-2: a hook never waits long", () => {
  it("WRITING-2: the client's mistake is an error with its path, and a dead letter", async () => {
    for (const [payload, path] of [
      [{ hook_event_name: "Stop" }, "session_id"],
      [{ session_id: "", hook_event_name: "Stop" }, "session_id"],
      [{ session_id: "s1" }, "hook_event_name"],
      [{ session_id: "s1", hook_event_name: "PreToolUse" }, "tool_name"],
      [[], ""],
    ] as const) {
      const answered = await served.post(HOOKS, payload);
      expect([answered.status, at(answered.body, "error", "path")]).toEqual([400, path]);
    }
    expect((await served.post(HOOKS, "{")).status).toBe(400);
    expect(await items("/v1/dead-letters")).toHaveLength(6);
    expect(await items("/v1/sessions")).toEqual([]);
  });

  it("WRITING-2, G37: an engine that has not started answers {} and counts the hooks it could not take", async () => {
    const idle = await serve({ notStarted: true });
    const answered = await idle.post(HOOKS, stop);
    expect([answered.status, answered.body]).toEqual([200, {}]);
    expect(answered.headers.get("signalbox-dropped")).toBe("NOT_READY");
    expect((await idle.get("/metrics")).body).toContain("signalbox_hooks_dropped_total 1\n");
    expect((await idle.post("/v1/events", stop)).status).toBe(503);
    expect((await idle.get("/v1/requests")).status).toBe(503);
    expect((await idle.get("/readyz")).status).toBe(503);
    expect((await idle.get("/livez")).status).toBe(200);
    await idle.http.close();
  });

  it("WRITING-2, G37: a journal that does not answer delays a hook by two seconds at most; what it takes later counts", async () => {
    const release = served.journal.hold();
    const answered = served.post(HOOKS, stop);
    await waiting(1);
    served.clock.advance(2_000);
    expect(await answered).toMatchObject({ status: 200, body: {} });
    expect((await answered).headers.get("signalbox-dropped")).toBe("LATE");
    release();
    while (served.journal.tail() === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    await settled();
    expect(await items("/v1/sessions")).toHaveLength(1);
  });

  it("WRITING-2: an engine without room drops a hook, and tells senders of events to come again", async () => {
    const release = served.journal.hold();
    const big = { ...stop, prompt: "p", parts: Array<string>(400).fill("x".repeat(16_000)) };
    const sent = [1, 2].map(() => served.post(HOOKS, big));
    await waiting(2);
    const dropped = await served.post(HOOKS, big);
    expect([dropped.status, dropped.headers.get("signalbox-dropped")]).toEqual([200, "OVERLOADED"]);
    const body = Array.from({ length: 1000 }, (_, n) => ({
      specversion: "1.0",
      id: `e${n}`,
      source: "/test",
      type: "request.created",
      subject: "shop/s1",
      data: { requestId: `r${n}`, prompt: "x".repeat(4000) },
    }));
    const refused = await served.post("/v1/events", body);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
    expect(at(refused.body, "error", "code")).toBe("OVERLOADED");
    release();
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200, 200]);
    await settled();
    expect(await items("/v1/requests")).toEqual([]);
    expect((await served.post("/v1/events", body)).status).toBe(200);
  });

  it("SERVER-2: a running request is finished before the server is closed", async () => {
    const release = served.journal.hold();
    const event = {
      specversion: "1.0",
      id: "e1",
      source: "/t",
      type: "session.started",
      subject: "a/b",
      data: {},
    };
    const answered = served.post("/v1/events", event);
    await waiting(1);
    const closed = served.http.close();
    release();
    expect(await answered).toMatchObject({ status: 200, body: { outcome: "applied" } });
    await closed;
    await expect(served.get("/livez")).rejects.toThrow();
  });
});

/** Waits until this many messages wait for the journal. */
async function waiting(count: number): Promise<void> {
  while (served.engine.lag().waiting < count) await new Promise((resolve) => setTimeout(resolve, 1));
}
