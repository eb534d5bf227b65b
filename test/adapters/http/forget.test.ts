// HTTP: forget
// A session that a person has forgotten: what goes, what stays, and that nobody else's is touched.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { at, textAt } from "../../support/engine/json.ts";
import { verified } from "../../support/engine/verifying.ts";
import fc from "fast-check";
import { holdsLater } from "../../support/properties/property.ts";
import { keys } from "../../../runtime/rows/keys.ts";
import { toId } from "../../../runtime/foreign-id.ts";
import { type Answered, event, serve, type Served } from "../../support/http/served.ts";

const FILE = "test/adapters/http/forget.test.ts";
const DAY_MS = 24 * 60 * 60 * 1000;

let served: Served;
beforeEach(async () => {
  served = await serve();
});
afterEach(() => served.stop());

/** Words that stand only in what a session said. */
const secretOf = (session: string): string => `hunter2-of-${session}`;

interface Story {
  readonly session: string;
  readonly calls: number;
  readonly answer: "approve" | "deny";
  readonly isLarge: boolean;
}

async function emit(session: string, type: string, data: object): Promise<void> {
  const { status } = await served.post("/v1/events", event(type, data, { subject: `shop/${session}` }));
  expect(status).toBeLessThan(300);
}

/** A request with calls, an approval that a person answered, a late answer, a rejection, a letter. */
async function told({ session, calls, answer, isLarge }: Story): Promise<void> {
  const secret = secretOf(session);
  const requestId = `${session}-r`;
  await emit(session, "session.started", { cwd: `/home/${secret}`, title: `About ${secret}` });
  await emit(session, "request.created", { requestId, chatId: 1, prompt: `Say ${secret}` });
  await emit(session, "request.processing", { requestId });
  for (let n = 0; n < calls; n += 1) {
    const toolUseId = `${session}-t${n}`;
    const input = { command: `echo ${secret} ${n}`, ...(isLarge && { more: "x".repeat(50_000) }) };
    await emit(session, "tool.started", { toolUseId, tool: "Bash", input, requestId });
    await emit(session, "tool.finished", { toolUseId, tool: "Bash", input, output: `It is ${secret}` });
  }
  const asked = { toolUseId: `${session}-q`, tool: "Bash", input: { command: `rm ${secret}` }, requestId };
  await emit(session, "approval.requested", { ...asked, approvalId: `${session}-a` });
  for (const decision of [answer, "deny"]) {
    const { body } = await served.get(`/v1/approvals/${session}-a`);
    const inputHash = textAt(body, "inputHash");
    await served.post(`/v1/approvals/${session}-a/decision`, {
      decision,
      inputHash,
      message: `No ${secret}`,
    });
  }
  await emit(session, "tool.finished", { ...asked, output: secret });
  await emit(session, "request.completed", { requestId, output: secret });
  await served.post(
    "/v1/events",
    event("request.created", { requestId: 7, prompt: secret }, { subject: `shop/${session}` }),
  );
}
const ended = (session: string): Promise<void> => emit(session, "session.ended", { reason: "other" });

const rows = (): readonly (readonly [string, string])[] => [...served.disk.rows.range({ gte: "", lt: "~" })];
/** Beside the logs that go by their age. */
const tellingOf = (session: string): readonly string[] =>
  rows()
    .filter(([key, text]) => !key.startsWith("change/") && `${key} ${text}`.includes(secretOf(session)))
    .map(([key]) => key);
const naming = (session: string): readonly (readonly [string, string])[] =>
  rows().filter(
    ([key, text]) => key.includes(`shop/${session}`) || text.includes(`"sessionId":"${session}"`),
  );

const forget = (session: string, other: object = {}) => served.post(`/v1/sessions/${session}/forget`, other);
async function forgotten(session: string, other: object = {}): Promise<unknown> {
  for (let n = 0; n < 50; n += 1) {
    const { status, body } = await forget(session, { workspace: "shop", ...other });
    expect([status, body]).toEqual([200, expect.anything()]);
    if (at(body, "more") === false) return body;
  }
  throw new Error("It never ends.");
}

describe("a session that is forgotten", () => {
  const session = fc.record({
    calls: fc.nat({ max: 40 }),
    answer: fc.constantFrom<Story["answer"]>("approve", "deny"),
    isLarge: fc.boolean(),
  });

  test("FORGETTING-3, FORGETTING-4, TRACES-1: leaves nothing that it said, and other sessions as they were", async () => {
    let n = 0;
    await holdsLater(FILE, 6, fc.tuple(session, session), async ([one, other]) => {
      const [gone, stays] = [`gone${(n += 1)}`, `stays${n}`];
      await told({ ...one, session: gone });
      await told({ ...other, session: stays });
      await ended(gone);
      const before = naming(stays);
      expect(tellingOf(gone).length).toBeGreaterThan(3);
      const said = await forgotten(gone);
      expect(said).toMatchObject({ workspace: "shop", sessionId: gone, more: false });
      expect(tellingOf(gone)).toEqual([]);
      expect(naming(stays)).toEqual(before);
      expect((await served.get(`/v1/sessions/${gone}`)).status).toBe(404);
      expect((await served.get(`/v1/sessions/${stays}`)).status).toBe(200);
    });
    const { differences, rows: compared } = await verified(served.disk);
    expect([differences, compared.differences]).toEqual([[], []]);
  });

  test("FORGETTING-3: who decided, when and what stays in the audit, without what was asked", async () => {
    await told({ session: "s1", calls: 1, answer: "deny", isLarge: false });
    await ended("s1");
    const audits = (): readonly unknown[] =>
      rows().flatMap(([key, text]) => (key.startsWith("audit/") ? [JSON.parse(text) as unknown] : []));
    const [decision] = audits();
    expect(decision).toMatchObject({ decision: "deny", by: "local:tester", tool: "Bash" });
    await forgotten("s1");
    expect(audits()[0]).toEqual({
      n: at(decision, "n"),
      position: at(decision, "position"),
      at: at(decision, "at"),
      approvalId: "s1-a",
      callId: at(decision, "callId"),
      ...{ workspace: "shop", sessionId: "s1", kind: "decision", by: "local:tester", decision: "deny" },
      forgotten: true,
    });
  });

  test("FORGETTING-3, TRACES-1, DOOR-REFUSALS-3: leaves no refused message, however the message named it, and other workspaces' letters", async () => {
    const hook = (id: string, workspace: string, more: object): Promise<Answered> =>
      served.post(
        "/v1/hooks/claude-code",
        { ...{ session_id: id, cwd: "/x", hook_event_name: "PreToolUse", tool_use_id: "t1" }, ...more },
        { "Signalbox-Workspace": workspace },
      );
    const [gone, secret] = [toId("team/shop chat:42"), secretOf("gone")];
    const refused = { tool_name: 7, tool_input: { command: secret } };
    await emit(gone, "session.started", {});
    await ended(gone);
    expect((await hook("team/shop chat:42", "shop", refused)).status).toBe(400);
    expect((await hook("team/shop chat:42", "other", refused)).status).toBe(400);
    const data = { requestId: 7, prompt: `${secret}${"x".repeat(17_000)}` };
    const cut = {
      specversion: "1.0",
      id: "late",
      source: "/test",
      type: "request.created",
      data,
      subject: `shop/${gone}`,
    };
    expect((await served.post("/v1/events", cut)).status).toBe(400);
    const padded = `{"session_id":"team/shop chat:42","a":"${secret}","b":"${"x".repeat(17_000)}"}`;
    expect((await served.post("/v1/hooks/claude-code", padded)).status).toBe(400);
    expect(tellingOf("gone")).toHaveLength(4);
    expect(await forgotten(gone)).toMatchObject({ deadLetters: 3 });
    expect(tellingOf("gone")).toEqual([keys.dead(2)]);
  });

  test("FORGET-DOOR-2: is counted first, goes piece by piece, and is gone when asked again", async () => {
    await told({ session: "s1", calls: 100, answer: "approve", isLarge: false });
    await ended("s1");
    const { position } = served.engine.meta();
    const counted = await forget("s1", { check: true });
    // The session, its request, 101 calls and an approval.
    expect(counted.body).toMatchObject({ actors: 104, deadLetters: 1, more: true });
    expect(at(counted.body, "heldUntil")).toBe(served.clock.now() + 7 * DAY_MS);
    expect(served.engine.meta().position).toBe(position);
    await forgotten("s1");
    const again = await forget("s1", { workspace: "shop" });
    expect(again.body).toMatchObject({
      actors: 0,
      pastApprovals: 0,
      auditRows: 0,
      deadLetters: 0,
      more: false,
    });
    expect(await forget("nobody", { workspace: "shop" })).toMatchObject({ status: 404 });
    expect(await forget("s1", { workspace: "other" })).toMatchObject({ status: 404 });
  });

  test("FORGETTING-2: a late message about it is known as late, and makes no session", async () => {
    await told({ session: "s1", calls: 1, answer: "approve", isLarge: false });
    await ended("s1");
    await forgotten("s1");
    const late = event(
      "tool.finished",
      { toolUseId: "s1-t0", tool: "Bash", output: "x" },
      { subject: "shop/s1" },
    );
    expect((await served.post("/v1/events", late)).status).toBe(409);
    expect((await served.get("/v1/sessions/s1?workspace=shop")).status).toBe(404);
  });

  test("FORGET-DOOR-1: the journal says who had it forgotten, whatever was sent", async () => {
    await emit("s1", "session.started", {});
    await ended("s1");
    expect((await forget("s1", { by: "ann" })).status).toBe(400);
    await forgotten("s1");
    const said = served.disk.entries
      .map(({ body }) => body)
      .filter((body) => body.includes("session.forgotten"));
    expect(said.map((body) => at(JSON.parse(body), "said", "by"))).toEqual(["local:tester"]);
  });

  test("FORGETTING-1: stays while anything of it is open", async () => {
    await emit("s1", "request.created", { requestId: "r1", chatId: 1 });
    await emit("s1", "approval.requested", { toolUseId: "t1", tool: "Bash", input: {}, approvalId: "a1" });
    const refused = await forget("s1");
    expect([refused.status, textAt(refused.body, "error", "code")]).toEqual([409, "SESSION_OPEN"]);
    expect((await served.get("/v1/approvals/a1")).body).toMatchObject({ state: "pending" });
    await served.post("/v1/approvals/a1/decision", { decision: "deny" });
    await ended("s1");
    expect(textAt((await forget("s1")).body, "error", "message")).toContain("a request of it is open");
    await emit("s1", "request.cancelled", { requestId: "r1" });
    await forgotten("s1");
    expect((await served.get("/v1/approvals/a1")).status).toBe(404);
  });

  test("FORGETTING-3: reaches what rules are tried on, also long after the session was removed", async () => {
    await told({ session: "s1", calls: 1, answer: "approve", isLarge: false });
    await ended("s1");
    const rule = { effect: "allow", tool: "Bash", match: { kind: "prefix", text: "rm" } };
    const asked = async (): Promise<unknown> =>
      at((await served.post("/v1/rules/test", { workspace: "shop", rule })).body, "asked");
    served.clock.advance(2 * DAY_MS);
    while ((await served.get("/v1/sessions/s1?workspace=shop")).status === 200) served.clock.advance(DAY_MS);
    expect(await asked()).toBe(1);
    expect(await forgotten("s1")).toMatchObject({ pastApprovals: 1 });
    expect(await asked()).toBe(0);
  });

  test("FORGET-DOOR-3: with `now` neither a change nor an entry of the journal tells of it", async () => {
    await told({ session: "s1", calls: 2, answer: "approve", isLarge: true });
    await ended("s1");
    const held = (): number =>
      [...rows().map(([, text]) => text), ...served.disk.entries.map(({ body }) => body)].filter((text) =>
        text.includes(secretOf("s1")),
      ).length;
    await forgotten("s1");
    expect(held()).toBeGreaterThan(0);
    const said = await forgotten("s1", { now: true });
    expect(held()).toBe(0);
    expect(at(said, "heldUntil")).toBeUndefined();
    expect(Number(at(said, "changes"))).toBeGreaterThan(0);
    expect(Number(at(said, "journalEntries"))).toBeGreaterThan(0);
    await emit("s2", "session.started", {});
    expect((await served.get("/v1/sessions/s2")).status).toBe(200);
    const { differences, rows: compared } = await verified(served.disk);
    expect([differences, compared.differences]).toEqual([[], []]);
  });

  test("BLOB-SWEEP-4: takes its large inputs along, but for those that another session has, too", async () => {
    const inputs = { own: "é".repeat(3 << 20), shared: "e".repeat(3 << 20) };
    const hook = (session: string, name: string, more: object = {}) =>
      served.post("/v1/hooks/claude-code", {
        ...{ session_id: session, cwd: "/shop", hook_event_name: name, prompt_id: `${session}-p` },
        ...more,
      });
    const calls = async (session: string, content: string, id: string): Promise<void> => {
      const its = { tool_name: "Write", tool_input: { content, file_path: "/a" }, tool_use_id: id };
      await hook(session, "PreToolUse", its);
      await hook(session, "PostToolUse", { ...its, tool_response: "ok" });
    };
    for (const session of ["h1", "h2"]) await hook(session, "UserPromptSubmit", { prompt: "Write" });
    await calls("h1", inputs.own, "t1");
    await calls("h1", inputs.shared, "t2");
    await calls("h2", inputs.shared, "t3");
    await hook("h1", "Stop");
    await hook("h1", "SessionEnd", { reason: "other" });
    const named = [...served.disk.blobs.keys()];
    expect(named).toHaveLength(2);
    served.clock.advance(60_000);
    expect((await forget("h1")).body).toMatchObject({ more: false, blobs: 1 });
    expect(served.disk.blobs.size).toBe(1);
    const { body } = await served.get("/v1/tool-calls/t3");
    expect(named.find((name) => served.disk.blobs.has(name))).toBe(textAt(body, "inputHash"));
  });
});
