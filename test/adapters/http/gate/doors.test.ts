// HTTP: further doors to the gate
// A call that the Agent SDK, the client's permission tool or a service asks about: whose call it is, with whom it shares
// its approval, and what becomes of it when nobody waits.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { toolInput } from "../../../../runtime/canonical.ts";
import { at, listAt } from "../../../support/engine/json.ts";
import {
  answer,
  ASKED,
  decide,
  HASH,
  INPUT,
  passing,
  shown,
  STARTED,
  tick,
  until,
} from "../../../support/http/asking.ts";
import { type Answered, serve, type Served } from "../../../support/http/served.ts";

let served: Served;
beforeEach(async () => {
  served = await serve();
});
afterEach(() => served.stop());

const call = { hook_event_name: "PermissionRequest", tool_name: "Bash", tool_input: INPUT };

const bySdk = (id: string, toolUseId: string, via = "sdk"): Promise<Answered> =>
  passing(
    served,
    served.post(`/v1/gate?approval=${id}&wait=60000&closed=deny&via=${via}&session=run-1&call=${toolUseId}`, {
      ...call,
      tool_use_id: toolUseId,
    }),
  );

describe("CALL-HOME-1: a door that does not know the session", () => {
  it("CALL-HOME-1: asks about a known call in that call's own session and workspace", async () => {
    await served.post("/v1/hooks/claude-code", STARTED);
    expect((await bySdk("q1", "t1")).body).toEqual({ approvalId: "q1", state: "pending" });
    const call = (await served.get("/v1/tool-calls/t1")).body;
    expect(await shown(served, "q1")).toMatchObject({
      callId: "t1",
      sessionId: "s1",
      workspace: at(call, "workspace"),
      channels: ["gate-sdk"],
    });
  });

  it("CALL-HOME-1: asks about an unknown call in the session it made; what is told of the call a moment later is heard", async () => {
    await bySdk("q1", "t9");
    expect(await shown(served, "q1")).toMatchObject({ sessionId: "run-1", state: "pending" });
    served.gate.requesting.after(() => {
      void served.post("/v1/hooks/claude-code", STARTED);
      return Promise.resolve();
    });
    await bySdk("q2", "t1");
    expect(await shown(served, "q2")).toMatchObject({ sessionId: "s1", callId: "t1" });
  });

  it("I-39: a door of no known name is refused", async () => {
    expect((await bySdk("q1", "t1", "post")).status).toBe(400);
  });
});

describe("CLAUDE-CODE-GATE-2: two doors that ask about one call", () => {
  beforeEach(async () => {
    await served.post("/v1/hooks/claude-code", STARTED);
    await served.post("/v1/gate?approval=g1&wait=60000&closed=deny", ASKED);
    await bySdk("q1", "t1");
  });

  it("CLAUDE-CODE-GATE-2: share one approval: one answer releases both", async () => {
    expect(await shown(served, "g1")).toMatchObject({ channels: ["gate", "gate-sdk"] });
    const [hook, sdk] = [answer(served, "g1"), answer(served, "q1")];
    expect((await decide(served, "q1", { decision: "approve", inputHash: HASH })).status).toBe(200);
    expect([at(await hook, "decision"), at(await sdk, "decision")]).toEqual(["allow", "allow"]);
  });

  it("GATE-GATE-4: withdrawn once both have left, and not before", async () => {
    const [one, two] = [new AbortController(), new AbortController()];
    const hook = answer(served, "g1", { signal: one.signal }).catch(() => "gone");
    const sdk = answer(served, "q1", { signal: two.signal }).catch(() => "gone");
    await tick();
    one.abort();
    expect(await hook).toBe("gone");
    for (let n = 0; n < 8; n += 1) {
      served.clock.advance(1_000);
      await tick();
    }
    expect(at(await shown(served, "q1"), "state")).toBe("pending");
    two.abort();
    expect(await sdk).toBe("gone");
    await until(served, "q1", "withdrawn");
  });
});

describe("S3.13: a service asks with a run, a call id of its own, a function and its arguments", () => {
  const theirs = { run_id: "run-7", call_id: "call-1", spec: { fn: "deploy", kwargs: { to: "prod" } } };
  const hash = toolInput({ to: "prod" }).hash;
  const said = { session: "run-7", tool: "deploy", inputHash: hash };
  const post = (body: object = theirs): Promise<Answered> => served.post("/v1/approvals", body);

  it("S3.13, SERVICE-CALL-1: it waits, is shown with its input, and is released by a decision on that very input", async () => {
    expect((await post()).body).toMatchObject({ approvalId: "call-1", state: "pending" });
    expect(await shown(served, "call-1")).toMatchObject({
      sessionId: "run-7",
      tool: "deploy",
      input: { to: "prod" },
      onDeadline: "deny",
      deadlineAt: served.clock.now() + 600_000,
    });
    const waiting = answer(served, "call-1", { said });
    expect((await decide(served, "call-1", { decision: "approve", inputHash: HASH })).status).not.toBe(200);
    await decide(served, "call-1", { decision: "approve", inputHash: hash });
    expect(await waiting).toMatchObject({ decision: "allow", inputHash: hash, by: "local:tester" });
  });

  it("S3.13: the session is found by its run, and in it the oldest open call of that name without an approval", async () => {
    const said = (type: string, toolUseId: string) => ({
      specversion: "1.0",
      id: toolUseId,
      source: "/daemon",
      type,
      subject: "shop/run-7",
      data: { tool: "deploy", toolUseId, input: { to: "prod" } },
    });
    await served.post("/v1/events", [said("tool.started", "t2"), said("tool.started", "t6")]);
    await post();
    expect(await shown(served, "call-1")).toMatchObject({
      workspace: "shop",
      sessionId: "run-7",
      callId: "t2",
    });
    await post({
      approvalId: "mine",
      session: "run-7",
      tool: "deploy",
      input: { to: "prod" },
      toolUseId: "t6",
    });
    expect(await shown(served, "mine")).toMatchObject({ workspace: "shop", callId: "t6" });
  });

  it("SERVICE-CALL-2: asked again it is the same approval, with its first deadline; so it is after a restart", async () => {
    await post();
    const deadlineAt = at(await shown(served, "call-1"), "deadlineAt");
    served.clock.advance(1_000);
    await served.post("/v1/approvals", theirs, { "Idempotency-Key": "again" });
    const { disk, clock, ids } = served;
    await served.stop();
    served = await serve({ disk, clock, ids });
    expect((await post()).body).toMatchObject({ approvalId: "call-1", state: "pending" });
    expect(at(await shown(served, "call-1"), "deadlineAt")).toBe(deadlineAt);
    expect(listAt((await served.get("/v1/approvals?state=pending")).body, "items")).toHaveLength(1);
  });

  it("S3.14, GATE-GATE-4: one that asks every five seconds is waiting; one that stops asking has its approval withdrawn", async () => {
    await post();
    for (let n = 0; n < 6; n += 1) {
      served.clock.advance(5_000);
      await tick();
      expect(await answer(served, "call-1", { waitMs: 0, said })).toEqual({
        approvalId: "call-1",
        state: "pending",
      });
    }
    await until(served, "call-1", "withdrawn");
    expect(await answer(served, "call-1", { waitMs: 0, said })).not.toHaveProperty("decision");
  });

  it("GATE-GATE-5: it keeps its time where a hook asks about the same call after it", async () => {
    await served.post("/v1/hooks/claude-code", STARTED);
    await post({ call_id: "call-1", session: "s1", tool: "Bash", input: INPUT, toolUseId: "t1" });
    await served.post("/v1/gate?approval=g1&wait=60000&closed=deny", ASKED);
    expect(await shown(served, "call-1")).toMatchObject({ channels: ["gate-service", "gate"] });
    for (let n = 0; n < 10; n += 1) {
      served.clock.advance(1_000);
      await tick();
    }
    expect(at(await shown(served, "call-1"), "state")).toBe("pending");
    await until(served, "call-1", "withdrawn");
  });

  it("G8: unanswered at its deadline it expires, which allows nothing", async () => {
    await post({ ...theirs, waitMs: 8_000 });
    await passing(served, answer(served, "call-1", { said }));
    expect(await answer(served, "call-1", { waitMs: 0, said })).toMatchObject({ state: "expired" });
    expect(await answer(served, "call-1", { waitMs: 0, said })).not.toHaveProperty("decision", "allow");
  });

  it("AFTERWARDS-1: it says that it answered by itself, when that was, and how: expired with that cause, once; a later decision is late", async () => {
    await post();
    served.clock.advance(2_000);
    const say = (query: string): Promise<Answered> => served.remove(`/v1/approvals/call-1/answer?${query}`);
    expect((await say("said=deny&ago=500")).body).toEqual({
      approvalId: "call-1",
      state: "expired",
      by: "deadline",
    });
    await say("said=ask");
    expect(await shown(served, "call-1")).toMatchObject({
      state: "expired",
      lapsed: { said: "deny", at: served.clock.now() - 500 },
    });
    const late = await decide(served, "call-1", { decision: "approve", inputHash: hash });
    expect([late.status, at(late.body, "reason")]).toEqual([409, "already expired"]);
    for (const query of ["said=allow", "said=deny&ago=-1", "said=deny&ago=99999999", "closed=deny"])
      expect((await say(query)).status).toBe(400);
    expect((await served.remove("/v1/approvals/none/answer?said=deny")).status).toBe(404);
  });

  it("AFTERWARDS-1: answered here first, the answer lapsed, and says what was said instead", async () => {
    await post();
    await decide(served, "call-1", { decision: "approve", inputHash: hash });
    await served.remove("/v1/approvals/call-1/answer?said=deny");
    expect(at(await shown(served, "call-1"), "receipt")).toMatchObject({
      step: "lapsed",
      lapsedSaid: "deny",
    });
  });

  it("GATING-2: it is told the address of its answer, where it says what it asked, in whatever workspace", async () => {
    await post({ ...theirs, workspace: "shop" });
    const { body } = await post({ ...theirs, workspace: "mill" });
    const address = String(at(body, "answer"));
    expect(
      (await served.get(`/v1/approvals/call-1/answer?${new URLSearchParams(said).toString()}`)).status,
    ).toBe(409);
    expect((await served.get(address)).body).toEqual({ approvalId: "call-1", state: "pending" });
  });

  it("SERVICE-CALL-1: what says one thing under two names says the same, or is refused by the name of the second", async () => {
    const both = { approvalId: "call-1", session: "run-7", tool: "deploy", input: { to: "prod" }, ...theirs };
    expect((await post(both)).status).toBe(200);
    const refused = await Promise.all(
      [
        { call_id: "call-2" },
        { run_id: "run-8" },
        { spec: { fn: "destroy", kwargs: { to: "prod" } } },
        { spec: { fn: "deploy", kwargs: { to: "elsewhere" } } },
      ].map((other) => post({ ...both, ...other })),
    );
    expect(refused.map(({ status, body }) => [status, at(body, "error", "path")])).toEqual([
      [400, "call_id"],
      [400, "run_id"],
      [400, "spec.fn"],
      [400, "spec.kwargs"],
    ]);
  });

  it("SERVICE-CALL-1, DOOR-6: an input that no JSON reader can hold is refused, and nobody is asked about another one", async () => {
    const ours = '{"approvalId":"call-1","session":"run-7","tool":"deploy","input":{"to":1e400}}';
    const refused = await served.post("/v1/approvals", ours);
    expect([refused.status, at(refused.body, "error", "path")]).toEqual([400, "data.input.to"]);
    expect(listAt((await served.get("/v1/approvals")).body, "items")).toEqual([]);
  });

  it("AFTERWARDS-3: what it answered by itself comes in by the door, which takes nothing once the engine stops", async () => {
    await post();
    const stopped = served.engine.stop();
    const closed = served.gate.afterwards.closed("call-1", {}, "deny", 0);
    await expect(closed).rejects.toMatchObject({ code: "NOT_READY" });
    await stopped;
  });

  it("SERVICE-CALL-1: what lacks an id, a session, a name or an input is refused by the name of the field, with a dead letter", async () => {
    const { run_id: _run, ...noRun } = theirs;
    const { call_id: _call, ...noCall } = theirs;
    const { spec: _spec, ...noSpec } = theirs;
    const refused = await Promise.all(
      [noRun, noCall, noSpec, { ...noSpec, tool: "deploy" }, { ...theirs, allow: true }, []].map((each) =>
        post(each),
      ),
    );
    expect(refused.map(({ status, body }) => [status, at(body, "error", "path")])).toEqual([
      [400, "session"],
      [400, "approvalId"],
      [400, "tool"],
      [400, "input"],
      [400, "allow"],
      [400, ""],
    ]);
    expect(listAt((await served.get("/v1/dead-letters")).body, "items").length).toBe(6);
    expect(listAt((await served.get("/v1/approvals")).body, "items")).toEqual([]);
  });
});
