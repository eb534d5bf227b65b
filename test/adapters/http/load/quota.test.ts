// HTTP, quota
// What a sender beyond its quota is told, and that nobody else notices.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { completed } from "../../../../runtime/config.ts";
import { capacityOf, type Quota } from "../../../../runtime/quota.ts";
import { at } from "../../../support/engine/json.ts";
import { publication } from "../../../support/faults/published.ts";
import { event, serve, type Served } from "../../../support/http/served.ts";

const QUOTA: Quota = { messages: 50, bytes: 10_000_000, kept: "off" };
const FULL = capacityOf(QUOTA);
let served: Served;

beforeEach(async () => {
  served = await serve({ configuration: completed({ quota: QUOTA }) });
});
afterEach(() => served.stop());

const events = (count: number, subject = "chat/s1"): readonly object[] =>
  Array.from({ length: count }, () => event("session.started", {}, { subject }));
const fill = async (): Promise<void> => {
  expect((await served.post("/v1/events", events(FULL.messages))).status).toBe(200);
};
const letters = (): readonly unknown[] =>
  [...served.disk.rows.range({ gte: "dead/", lt: "dead0" })].map(([, row]): unknown => JSON.parse(row));

describe("G14: a sender beyond its quota", () => {
  test("G14: it gets 429 with Retry-After, the reason and the next step, and nothing is journalled; after that time it is taken", async () => {
    await fill();
    const { tail } = served.disk;
    const one = event("session.started", {}, { subject: "chat/s2" });
    const refused = await served.post("/v1/events", one);
    expect(refused).toMatchObject({ status: 429, body: { error: { code: "OVER_QUOTA" } } });
    expect(at(refused.body, "error", "message")).toContain("chat");
    expect(at(refused.body, "error", "next")).toContain("Send the message again");
    const afterS = Number(refused.headers.get("retry-after"));
    expect(afterS).toBe(1);
    expect(served.disk.tail).toBe(tail);
    served.clock.advance(afterS * 1000);
    expect(await served.post("/v1/events", one)).toMatchObject({ status: 200, body: { outcome: "applied" } });
  });

  test("TURNING-AWAY-1: another workspace's events are taken, even in the same list", async () => {
    await fill();
    const mixed = [...events(2), ...events(1, "shop/s1")];
    const answer = await served.post("/v1/events", mixed);
    expect(answer).toMatchObject({
      status: 207,
      body: {
        results: [
          { outcome: "refused", error: { code: "OVER_QUOTA" } },
          { outcome: "refused", error: { code: "OVER_QUOTA" } },
          { outcome: "applied" },
        ],
      },
    });
    expect(Number(answer.headers.get("retry-after"))).toBe(1);
    expect((await served.post("/v1/events", events(5, "shop/s1"))).status).toBe(200);
  });

  test("ALLOWANCE-1: however many send at once, no more gets through", async () => {
    const lists = Array.from({ length: 12 }, () => events(FULL.messages / 10));
    const answers = await Promise.all(lists.map((list) => served.post("/v1/events", list)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429, 429]);
  });

  test("WITHIN-QUOTA-1: a list that does not fit as a whole is refused as a whole; a shorter one is taken", async () => {
    expect((await served.post("/v1/events", events(FULL.messages - 10))).status).toBe(200);
    const { tail } = served.disk;
    expect((await served.post("/v1/events", events(11))).status).toBe(429);
    expect(served.disk.tail).toBe(tail);
    expect((await served.post("/v1/events", events(10))).status).toBe(200);
  });

  test("TURNING-AWAY-3: a person's denial, a source's report of one, and a cancellation pass", async () => {
    const ask = { tool: "Bash", input: { command: "ls" }, toolUseId: "t1" };
    for (const approvalId of ["a1", "a2"]) {
      const toolUseId = `t-${approvalId}`;
      const asked = event("approval.requested", { ...ask, approvalId, toolUseId }, { subject: "chat/s1" });
      expect((await served.post("/v1/events", asked)).status).toBe(200);
    }
    const created = event("request.created", { requestId: "r1" }, { subject: "chat/s1" });
    expect((await served.post("/v1/events", created)).status).toBe(200);
    expect((await served.post("/v1/events", events(FULL.messages - 3, "chat/s9"))).status).toBe(200);
    expect((await served.post("/v1/events", events(1, "chat/s9"))).status).toBe(429);
    const decided = await served.post("/v1/approvals/a1/decision", { decision: "deny" });
    expect(decided).toMatchObject({ status: 200, body: { state: "denied" } });
    const told = { decision: "deny", by: "bob", approvalId: "a2", toolUseId: "t-a2" };
    const cancelled = event("request.cancelled", { requestId: "r1" }, { subject: "chat/s1" });
    const answered = event("approval.answered", told, { subject: "chat/s1" });
    const answer = await served.post("/v1/events", [...events(1, "chat/s9"), answered, cancelled]);
    const outcomes = ["refused", "applied", "applied"].map((outcome) => ({ outcome }));
    expect(answer).toMatchObject({ status: 207, body: { results: outcomes } });
  });

  test("G14: a message repeated under a known Idempotency-Key is answered as before", async () => {
    const list = events(FULL.messages);
    const key = { "Idempotency-Key": "k1" };
    const first = await served.post("/v1/events", list, key);
    expect(first.status).toBe(200);
    const again = await served.post("/v1/events", list, key);
    expect(again.status).toBe(200);
    const positions = (answer: { body: unknown }): unknown => at(answer.body, "results", 3, "position");
    expect(positions(again)).toBe(positions(first));
  });

  test("G14, WRITING-2: a hook is answered {}; one letter a second tells how many were turned away and for how long", async () => {
    const hook = { hook_event_name: "UserPromptSubmit", session_id: "s1", prompt: "x", cwd: "/p" };
    const inChat = { "Signalbox-Workspace": "chat" };
    await fill();
    for (let n = 0; n < 3; n += 1) {
      const answer = await served.post("/v1/hooks/claude-code", hook, inChat);
      expect(answer).toMatchObject({ status: 200, body: {} });
      expect(answer.headers.get("signalbox-dropped")).toBe("OVER_QUOTA");
    }
    const bytes = 3 * JSON.stringify(hook).length;
    expect(letters()).toEqual([]);
    served.clock.advance(1_000);
    await expect
      .poll(letters)
      .toMatchObject([{ code: "OVER_QUOTA", workspace: "chat", unrecorded: 3, bytes }]);
    const listed = await served.get("/v1/dead-letters?workspace=chat");
    expect(listed).toMatchObject({ body: { items: [{ code: "OVER_QUOTA" }] } });
    expect((await served.get("/v1/dead-letters?workspace=shop")).body).toMatchObject({ items: [] });
  });

  test("ALLOWANCE-3: the metrics count per workspace what was turned away, here and in the journal", async () => {
    await fill();
    await served.post("/v1/events", events(7));
    const text = async (): Promise<string> => String((await served.get("/metrics")).body);
    expect(await text()).toMatch(/^signalbox_over_quota_total\{workspace="chat"\} 7$/m);
    const { body } = publication("chat", "x", "session.started", {});
    const position = served.disk.tail + 1;
    const from = { workspace: "chat", type: "session.started" };
    served.disk.entries.push({ position, at: served.clock.now(), body, from });
    served.disk.appended.ring();
    await expect.poll(text).toMatch(/^signalbox_over_quota_total\{workspace="chat"\} 8$/m);
    expect((await served.get("/readyz")).status).toBe(200);
  });

  test("ALLOWANCE-2: a wrong wall clock gives nobody more", async () => {
    await fill();
    served.clock.stepWall(-3_600_000);
    expect((await served.post("/v1/events", events(1))).status).toBe(429);
    served.clock.advance(1_000);
    expect((await served.post("/v1/events", events(50))).status).toBe(200);
    served.clock.stepWall(7_200_000);
    expect((await served.post("/v1/events", events(1))).status).toBe(429);
  });
});
