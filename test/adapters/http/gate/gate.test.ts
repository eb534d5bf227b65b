// HTTP: the gate
// A hook asks and waits: what it is told, when, and what becomes of an approval nobody waits for.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { at, listAt } from "../../../support/engine/json.ts";
import {
  answer,
  ASKED,
  decide,
  HASH,
  INPUT,
  shown,
  STARTED,
  tick,
  until,
} from "../../../support/http/asking.ts";
import { event, serve, type Served, TOKEN } from "../../../support/http/served.ts";

let served: Served;
beforeEach(async () => {
  served = await serve();
});
afterEach(() => served.stop());

const ask = (id = "g1", closed = "ask", body: object = ASKED) =>
  served.post(`/v1/gate?approval=${id}&wait=60000&closed=${closed}`, body);

describe("I-39: the gate over HTTP", () => {
  it("REQUESTING-1, GATING-1: an approval is acknowledged once it is durable, with its call, its deadline and its channel", async () => {
    await served.post("/v1/hooks/claude-code", STARTED);
    const answered = await ask("g1", "deny");
    expect([answered.status, answered.body]).toEqual([200, { approvalId: "g1", state: "pending" }]);
    expect(await shown(served, "g1")).toMatchObject({
      state: "pending",
      callId: "t1",
      channels: ["gate"],
      onDeadline: "deny",
      deadlineAt: served.clock.now() + 60_000,
      input: INPUT,
    });
  });

  it.each([
    ["behind", -3_600_000],
    ["ahead", 3_600_000],
  ])(
    "I-35, I-39: asked while the clock is an hour %s for a moment, it waits no shorter than it was given",
    async (_, stepMs) => {
      const givenUntil = served.clock.now() + 600_000;
      served.clock.stepWall(stepMs);
      await served.post(`/v1/gate?approval=g1&wait=600000&closed=deny`, ASKED);
      served.clock.stepWall(-stepMs);
      // A commit, after which deadlines are looked at.
      await served.post("/v1/hooks/claude-code", { ...STARTED, session_id: "s2" });
      const question = await shown(served, "g1");
      expect(question).toMatchObject({ state: "pending" });
      expect(at(question, "deadlineAt")).toBeGreaterThanOrEqual(givenUntil);
    },
  );

  it("I-39, GATE-ANSWER-2: an approve releases it with the hash that was approved; the call is approved", async () => {
    await served.post("/v1/hooks/claude-code", STARTED);
    await ask();
    const waiting = answer(served, "g1");
    await decide(served, "g1", { decision: "approve", inputHash: HASH });
    expect(await waiting).toEqual({
      approvalId: "g1",
      state: "approved",
      decision: "allow",
      inputHash: HASH,
      by: "local:tester",
    });
    expect((await served.get("/v1/tool-calls/t1")).body).toMatchObject({ approval: { state: "approved" } });
  });

  it("I-39: an edited input, a message and an interrupt each reach the gate as they were given", async () => {
    await ask("g1");
    await ask("g2", "ask", { ...ASKED, tool_input: { command: "rm -r build" } });
    const updatedInput = { command: "make deploy --dry-run" };
    await decide(served, "g1", { decision: "approve", inputHash: HASH, updatedInput });
    await decide(served, "g2", { decision: "deny", message: "not today", interrupt: true });
    expect(await answer(served, "g1")).toMatchObject({ decision: "allow", updatedInput });
    expect(await answer(served, "g2")).toMatchObject({
      decision: "deny",
      message: "not today",
      interrupt: true,
    });
  });

  it("G8, GATE-ANSWER-1: what the source reports of an answer opens no gate", async () => {
    await ask();
    const workspace = at(await shown(served, "g1"), "workspace");
    await served.post(
      "/v1/events",
      event(
        "approval.answered",
        { approvalId: "g1", decision: "approve", by: "terminal" },
        { subject: `${String(workspace)}/s1` },
      ),
    );
    const answered = await answer(served, "g1");
    expect(answered).toMatchObject({ state: "approved" });
    expect(answered).not.toHaveProperty("decision");
  });

  it("G8: an approve with another hash leaves it waiting; a second decision changes nothing", async () => {
    await ask();
    await decide(served, "g1", { decision: "approve", inputHash: HASH.replace(/^./, "x") });
    expect(await answer(served, "g1", { waitMs: 0 })).toEqual({ approvalId: "g1", state: "pending" });
    const [one, two] = await Promise.all([
      decide(served, "g1", { decision: "deny", message: "no" }),
      decide(served, "g1", { decision: "approve", inputHash: HASH }),
    ]);
    expect([one.status, two.status].sort()).toEqual([200, 409]);
    const won = one.status === 200 ? "deny" : "allow";
    expect(await answer(served, "g1")).toMatchObject({ decision: won });
  });

  it("REQUESTING-1: asked again under its id, it is the same approval, also after a restart of the engine", async () => {
    await ask();
    await ask();
    const { disk, clock, ids } = served;
    const waiting = answer(served, "g1").catch(() => undefined);
    await served.stop();
    await waiting;
    served = await serve({ disk, clock, ids });
    expect((await ask()).body).toEqual({ approvalId: "g1", state: "pending" });
    expect(listAt((await served.get("/v1/approvals?state=pending")).body, "items")).toHaveLength(1);
    const again = answer(served, "g1");
    await decide(served, "g1", { decision: "approve", inputHash: HASH });
    expect(await again).toMatchObject({ decision: "allow" });
  });

  it("LEASES-2, GATE-GATE-2: whoever waits is told that it is pending still, when the time is over and when the engine stops", async () => {
    await ask();
    expect(await answer(served, "g1", { waitMs: 0 })).toEqual({ approvalId: "g1", state: "pending" });
    const waiting = answer(served, "g1");
    await served.stop();
    expect(await waiting.catch(() => "closed")).toSatisfy(
      (told: unknown) => told === "closed" || at(told, "state") === "pending",
    );
    const { disk, clock, ids } = served;
    served = await serve({ disk, clock, ids });
  });

  it("GATE-GATE-4, LEASES-1: a gate that hangs up and does not come back has its approval withdrawn, also after a restart", async () => {
    await ask("g1");
    await ask("g2", "ask", { ...ASKED, tool_input: { command: "ls" } });
    const gone = new AbortController();
    const waiting = answer(served, "g1", { signal: gone.signal }).catch(() => "gone");
    await tick();
    gone.abort();
    expect(await waiting).toBe("gone");
    await until(served, "g1", "withdrawn");
    const { disk, clock, ids } = served;
    await served.stop();
    served = await serve({ disk, clock, ids });
    await until(served, "g2", "withdrawn");
    expect(await answer(served, "g2")).not.toHaveProperty("decision");
  });

  it("LEASES-3: a gate that says that it leaves has its approval withdrawn, with no time gone by; nobody else's", async () => {
    await ask();
    const waiting = answer(served, "g1");
    const leave = (id: string) =>
      fetch(`${served.url}/v1/approvals/${id}/answer`, {
        method: "DELETE",
        headers: { Authorization: `Bearer ${TOKEN}` },
      });
    expect((await leave("g1")).status).toBe(200);
    expect(await waiting).toMatchObject({ state: "withdrawn" });
    expect((await leave("none")).status).toBe(404);
    const call = { requestId: "r9", toolUseId: "t9", tool: "Bash", input: INPUT };
    await served.post("/v1/events", event("request.created", { requestId: "r9" }));
    await served.post("/v1/events", event("request.processing", { requestId: "r9" }));
    await served.post("/v1/events", event("tool.announced", { ...call, messageId: "m9" }));
    await served.post("/v1/events", event("approval.requested", { ...call, approvalId: "q9" }));
    await leave("q9");
    expect(at(await shown(served, "q9"), "state")).toBe("pending");
  });

  it("I-39: an approval that is asked, and then waited for by nobody, is withdrawn", async () => {
    await ask();
    await until(served, "g1", "withdrawn");
    const late = await decide(served, "g1", { decision: "approve", inputHash: HASH });
    expect([late.status, at(late.body, "reason")]).toEqual([409, "already withdrawn"]);
  });

  it("G34: while somebody waits it stays; unanswered at its deadline it expires, and carries no decision", async () => {
    await ask();
    let told: unknown = { state: "pending" };
    while (at(told, "state") === "pending") {
      const waiting = answer(served, "g1", { waitMs: 1_500 });
      while ((await Promise.race([waiting, tick()])) === undefined) served.clock.advance(1_000);
      told = await waiting;
    }
    expect(told).toEqual({ approvalId: "g1", state: "expired", by: "deadline" });
  });

  it("CLAUDE-CODE-GATE-1: a PreToolUse that waits is a start and an approval about that very call", async () => {
    await ask("g1", "deny", STARTED);
    expect(await shown(served, "g1")).toMatchObject({ callId: "t1", ambiguous: false });
    expect((await served.get("/v1/tool-calls/t1")).body).toMatchObject({
      execution: "processing",
      approval: { state: "pending" },
    });
  });

  it("I-39: what a gate answered by itself expires its approval, asked before or not; a later decision is late", async () => {
    await ask("g1");
    const caller = { door: "spool", by: "local:tester" };
    for (const id of ["g1", "g2"]) {
      const body = Buffer.from(JSON.stringify(ASKED));
      await served.gate.afterwards.leftBehind(body, {}, caller, { approvalId: id, answered: "ask" });
      await until(served, id, "expired");
      const late = await decide(served, id, { decision: "approve", inputHash: HASH });
      expect([late.status, at(late.body, "reason")]).toEqual([409, "already expired"]);
      expect(await answer(served, id)).not.toHaveProperty("decision");
    }
  });

  it("I-39: what cannot be asked is refused: another hook, a bad id, no time to wait, no rule", async () => {
    const stop = { session_id: "s1", hook_event_name: "Stop" };
    const refused = await Promise.all([
      ask("g1", "ask", stop),
      ask("a.b"),
      ask("g1", "allow"),
      served.post("/v1/gate?approval=g1&wait=0&closed=ask", ASKED),
      served.post("/v1/gate?wait=5&closed=ask", ASKED),
      served.get("/v1/approvals/none/answer"),
    ]);
    expect(refused.map(({ status, body }) => [status, at(body, "error", "code")])).toEqual([
      [400, "NOT_ASKED"],
      [400, "BAD_PARAMETER"],
      [400, "BAD_PARAMETER"],
      [400, "BAD_PARAMETER"],
      [400, "BAD_PARAMETER"],
      [404, "UNKNOWN_APPROVAL"],
    ]);
  });

  it.each([
    ["hook_event_name", undefined],
    ["hook_event_name", "PermissionAsked"],
    ["session_id", 7],
    ["tool_name", { name: "Bash" }],
    ["tool_input", undefined],
    ["tool_input", null],
    ["tool_input", "make deploy"],
  ])(
    "I-39, CLAUDE-CODE-GATE-3: a payload of another version, with %s %j, asks nothing and opens nothing",
    async (key, value) => {
      const { status } = await ask("g1", "ask", { ...ASKED, [key]: value });
      expect(status).toBe(400);
      expect(listAt((await served.get("/v1/approvals")).body, "items")).toEqual([]);
      expect(listAt((await served.get("/v1/dead-letters")).body, "items").length).toBeGreaterThan(0);
    },
  );

  it("REQUESTING-2: what hooks said before the approval is taken in before it, unless that takes too long", async () => {
    served.gate.requesting.after(async () => {
      await served.post("/v1/hooks/claude-code", STARTED);
    });
    await ask();
    expect(await shown(served, "g1")).toMatchObject({ callId: "t1" });
    served.gate.requesting.after(() => new Promise(() => undefined));
    const second = ask("g2", "ask", { ...ASKED, tool_input: { command: "ls" } });
    while ((await Promise.race([second, tick()])) === undefined) served.clock.advance(100);
    expect((await second).status).toBe(200);
  });
});
