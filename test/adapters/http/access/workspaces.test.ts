// HTTP: workspaces
// A client's hooks, when several workspaces have a session of the same id: each is heard in its own.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { workspaceName } from "../../../../runtime/door/workspace.ts";
import { PARTS } from "../../../../runtime/access-token.ts";
import { at, textAt } from "../../../support/engine/json.ts";
import { event, serve, type Served } from "../../../support/http/served.ts";

let served: Served;
beforeEach(async () => {
  served = await serve();
});
afterEach(() => served.stop());

const INPUT = { command: "make deploy" };

describe("hooks of a session that two workspaces have", () => {
  const hook = (name: string, more: object = {}) => ({
    session_id: "s1",
    cwd: "/home/dev/shop",
    hook_event_name: name,
    ...more,
  });
  const pre = (id: string) => hook("PreToolUse", { tool_name: "Bash", tool_use_id: id, tool_input: INPUT });
  const send = (payload: object, headers: Record<string, string> = {}) =>
    served.post("/v1/hooks/claude-code", payload, headers);
  /** The state of a call once the engine has applied its whole journal. */
  const homes = async (id: string) => {
    await expect.poll(() => served.engine.meta().position === served.journal.tail()).toBe(true);
    return at((await served.get(`/v1/tool-calls/${id}`)).body, "workspace");
  };
  const own = workspaceName("/home/dev/shop");
  const restart = async (): Promise<void> => {
    const { disk, clock, ids } = served;
    await served.stop();
    served = await serve({ disk, clock, ids });
  };

  it("WORKSPACE-2: a hook goes to the workspace its user named, even if another has a session of that id", async () => {
    await served.post("/v1/events", event("session.started", {}, { subject: "acme/s1" }));
    await send(pre("t1"), { "Signalbox-Workspace": "bolt" });
    expect(await homes("t1")).toBe("bolt");
    await send(pre("t2"), { "Signalbox-Workspace": "acme" });
    expect(await homes("t2")).toBe("acme");
    await restart();
    await send(pre("t3"), { "Signalbox-Workspace": "bolt" });
    expect(await homes("t3")).toBe("bolt");
  });

  it("WORKSPACE-2, RETRY-1: a hook sent again from the dead letters goes to the workspace it was meant for", async () => {
    const refused = await send({ hook_event_name: "PreToolUse" }, { "Signalbox-Workspace": "bolt" });
    expect(refused.status).toBe(400);
    const key = "dead/0000000000000001";
    const letter = JSON.parse(served.disk.rows.get(key) ?? "") as object;
    // A later version may read what this one could not.
    const body = JSON.stringify(pre("t1"));
    served.disk.rows.set(key, JSON.stringify({ ...letter, body, bytes: body.length }));
    expect((await served.post("/v1/dead-letters/1/retry", {})).status).toBe(200);
    expect(await homes("t1")).toBe("bolt");
  });

  it("WORKSPACE-2: when a session of the same id begins elsewhere later, the client's hooks stay here", async () => {
    await send(hook("SessionStart", { source: "startup" }));
    served.clock.advance(1_000);
    await served.post("/v1/events", event("session.started", {}, { subject: "aaa/s1" }));
    await restart();
    await send(pre("t1"));
    expect(await homes("t1")).toBe(own);
    await restart();
    await send({ ...pre("t2"), cwd: "/home/dev/shop/below" });
    expect(await homes("t2")).toBe(own);
  });
});

describe("a session that somebody with one workspace began first", () => {
  const ONE = { name: "http:one", token: "the-token-of-one-is-long-enough" };
  const ROOT = { name: "http:root", token: "the-token-of-root-is-long-enough" };
  const as = ({ token }: typeof ONE) => ({ Authorization: `Bearer ${token}` });
  const access = { parts: new Set(PARTS), workspaces: new Set(["shop"]) };
  beforeEach(async () => {
    await served.stop();
    served = await serve({ place: { tokens: [{ ...ONE, access }, ROOT] } });
  });

  it("WORKSPACE-4: whoever is limited to a workspace gets no message of another sender by naming its session first", async () => {
    const own = workspaceName("/home/dev/own");
    for (const session of ["taken", "run-7"]) {
      const begun = event("session.started", { cwd: "/home/dev/own" }, { subject: `shop/${session}` });
      expect((await served.post("/v1/events", begun, as(ONE))).status).toBe(200);
    }
    const open = { workspace: "shop", effect: "allow", tool: "deploy" };
    expect((await served.post("/v1/rules", open, as(ONE))).status).toBe(200);
    const hook = { session_id: "taken", hook_event_name: "PreToolUse", cwd: "/home/dev/own" };
    const call = { ...hook, tool_name: "Bash", tool_use_id: "t-taken", tool_input: INPUT };
    await served.post("/v1/hooks/claude-code", call, as(ROOT));
    await expect
      .poll(async () => at((await served.get("/v1/tool-calls/t-taken", as(ROOT))).body, "workspace"))
      .toBe(own);
    expect((await served.get("/v1/tool-calls/t-taken", as(ONE))).status).toBe(404);
    const asked = { run_id: "run-7", call_id: "call-taken", spec: { fn: "deploy" } };
    const service = await served.post("/v1/approvals", asked, as(ROOT));
    expect([service.status, textAt(service.body, "state")]).toEqual([200, "pending"]);
    expect((await served.get("/v1/approvals/call-taken", as(ROOT))).body).toMatchObject({
      workspace: "workspace",
    });
    // Begun by the same sender, a session keeps its workspace.
    await served.post("/v1/events", event("session.started", {}, { subject: "prod/run-8" }), as(ROOT));
    await served.post("/v1/approvals", { ...asked, run_id: "run-8", call_id: "call-own" }, as(ROOT));
    expect((await served.get("/v1/approvals/call-own", as(ROOT))).body).toMatchObject({ workspace: "prod" });
  });
});
