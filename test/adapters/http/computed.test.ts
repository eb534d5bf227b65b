// HTTP: computed
// The effects of a denial, the figures of the last hour, the oldest approval first, a dead letter tried again.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { event, serve, type Served } from "../../support/http/served.ts";

interface Change {
  readonly entity: string;
  readonly id: string;
  readonly to: string;
  readonly version: number;
}

let served: Served;
beforeEach(async () => {
  served = await serve();
});
afterEach(() => served.stop());

const call = (n: number) => ({
  requestId: "r1",
  toolUseId: `t${n}`,
  tool: "Bash",
  input: { command: `echo ${n}` },
});
const emit = (type: string, data: object) => served.post("/v1/events", event(type, data));
const itemsOf = async <T>(path: string) => ((await served.get(path)).body as { items: readonly T[] }).items;

/** Five calls; the second needs an approval. */
async function fiveCalls(): Promise<void> {
  await emit("request.created", { requestId: "r1" });
  await emit("request.processing", { requestId: "r1" });
  for (const n of [1, 2, 3, 4, 5]) await emit("tool.announced", { ...call(n), messageId: "m1" });
  await emit("approval.requested", { ...call(2), approvalId: "a2" });
}

describe("HTTP: computed", () => {
  it("PREVIEW-1: a denial does what its preview says, and the preview changes nothing", async () => {
    await fiveCalls();
    const before = await served.get("/v1/sessions/s1/history");
    const foreseen = await itemsOf<Change>("/v1/approvals/a2/denial");
    expect((await served.get("/v1/sessions/s1/history")).body).toEqual(before.body);
    expect(
      foreseen.filter(({ entity, to }) => entity === "toolcall" && to === "denied").map(({ id }) => id),
    ).toEqual(["t2", "t3", "t4", "t5"]);
    const { body } = await served.get("/v1/approvals/a2");
    const { inputHash } = body as { inputHash: string };
    await served.post("/v1/approvals/a2/decision", { decision: "deny", inputHash });
    const history = await itemsOf<Change>("/v1/sessions/s1/history");
    const happened = history.toReversed().slice(-foreseen.length);
    const told = ({ entity, id, to, version }: Change) => [version, entity, id, to];
    expect(happened.map(told)).toEqual(foreseen.map(told));
  });

  it("PREVIEW-1: a denial of an unknown approval has no preview", async () => {
    expect((await served.get("/v1/approvals/nope/denial")).status).toBe(404);
    expect((await served.get("/v1/approvals/nope/denial?interrupt=perhaps")).status).toBe(400);
  });

  it("S3.18: what is not there is named as it was asked for, on every route", async () => {
    for (const [path, what] of [
      ["/v1/approvals/nobody/denial", "approval nobody"],
      ["/v1/approvals/nobody", "approval nobody"],
      ["/v1/sessions/nobody", "session nobody"],
      ["/v1/sessions/nobody/conversation", "session nobody"],
      ["/v1/sessions/nobody/tool-calls", "session nobody"],
    ] as const)
      expect((await served.get(path)).body).toMatchObject({
        error: { code: "NOT_FOUND", message: `There is no ${what}.` },
      });
  });

  it("PAGING-2: approvals can be read oldest first, page by page, each once", async () => {
    await emit("request.created", { requestId: "r1" });
    for (const n of [1, 2, 3, 4, 5]) {
      await emit("approval.requested", { ...call(n), approvalId: `a${n}` });
      served.clock.advance(1000);
    }
    const first = await served.get("/v1/approvals?state=pending&order=oldest&limit=2");
    const { items, nextCursor } = first.body as { items: { id: string }[]; nextCursor: string };
    const rest = await itemsOf<{ id: string }>(
      `/v1/approvals?state=pending&order=oldest&cursor=${nextCursor}`,
    );
    expect([...items, ...rest].map(({ id }) => id)).toEqual(["a1", "a2", "a3", "a4", "a5"]);
    expect((await itemsOf<{ id: string }>("/v1/approvals?state=pending")).map(({ id }) => id)).toEqual([
      "a5",
      "a4",
      "a3",
      "a2",
      "a1",
    ]);
    expect((await served.get("/v1/approvals?order=random")).status).toBe(400);
  });

  it("COMPANIONS-1: on request an approval comes with its call and its session, one of each, and with no other rows", async () => {
    await emit("session.started", { title: "The title", branch: "main" });
    await fiveCalls();
    const read: string[] = [];
    const { store } = served.engine;
    const get = store.get.bind(store);
    store.get = (key) => {
      read.push(key);
      return get(key);
    };
    const [question] = await itemsOf<{ call: object; session: object; input: object }>(
      "/v1/approvals?state=pending&with=call,session",
    );
    expect(question).toMatchObject({
      id: "a2",
      input: { command: "echo 2" },
      call: { id: "t2", workspace: "shop", requestId: "r1", index: 1 },
      session: { title: "The title", branch: "main" },
    });
    expect(question?.call).not.toHaveProperty("input");
    expect(new Set(read.filter((key) => key.startsWith("actor/")))).toHaveProperty("size", 3);
    const one = (await served.get("/v1/approvals/a2?with=session")).body;
    expect(one).toMatchObject({ id: "a2", session: { title: "The title" } });
    expect(one).not.toHaveProperty("call");
    for (const query of ["with=calls", "with=call,call", "with=call,"])
      expect([query, (await served.get(`/v1/approvals?${query}`)).status]).toEqual([query, 400]);
  });

  it("PAGING-2: approvals asked for at the same moment have one order, which pages keep", async () => {
    await emit("request.created", { requestId: "r1" });
    for (const n of [3, 1, 2]) await emit("approval.requested", { ...call(n), approvalId: `a${n}` });
    const path = "/v1/approvals?state=pending&order=oldest&limit=1";
    const first = (await served.get(path)).body as { items: { id: string }[]; nextCursor: string };
    const second = (await served.get(`${path}&cursor=${first.nextCursor}`)).body as typeof first;
    const third = await itemsOf<{ id: string }>(`${path}&cursor=${second.nextCursor}`);
    expect([...first.items, ...second.items, ...third].map(({ id }) => id)).toEqual(["a1", "a2", "a3"]);
  });

  it("SERIES-1: the last hour's figures count what ended and how long people were waited for, before they were first asked for and after", async () => {
    await fiveCalls();
    served.clock.advance(30_000);
    await emit("approval.answered", { ...call(2), approvalId: "a2", decision: "approve", by: "somebody" });
    const sum = (series: readonly Record<string, number>[], name: string) =>
      series.reduce((total, bucket) => total + (bucket[name] ?? 0), 0);
    const first = await itemsOf<Record<string, number>>("/v1/stats/series");
    expect(first).toHaveLength(60);
    expect([
      sum(first, "asked"),
      sum(first, "answered"),
      sum(first, "waitedMs"),
      sum(first, "ended"),
    ]).toEqual([1, 1, 30_000, 0]);
    await emit("tool.finished", { ...call(2), output: "2" });
    const second = await itemsOf<Record<string, number>>("/v1/stats/series");
    expect(sum(second, "ended")).toBe(1);
    const history = await itemsOf<Change>("/v1/sessions/s1/history?limit=1000");
    expect(sum(second, "changes")).toBe(history.length);
  });

  it("SERIES-1: a withdrawn approval counts as asked for, not as answered", async () => {
    await fiveCalls();
    served.clock.advance(30_000);
    await emit("tool.finished", { ...call(2), output: "2" });
    const { body } = await served.get("/v1/approvals/a2");
    expect(body).toMatchObject({ state: "withdrawn" });
    const series = await itemsOf<Record<string, number>>("/v1/stats/series");
    const sum = (name: string) => series.reduce((total, bucket) => total + (bucket[name] ?? 0), 0);
    expect([sum("asked"), sum("answered"), sum("waitedMs"), sum("waitedMaxMs")]).toEqual([1, 0, 0, 0]);
  });

  it("RETRY-1: a dead letter is sent again as it came, and refused again while its fault persists", async () => {
    const wrong = event("tool.announced", { tool: "Bash" }, { specversion: "0.3" });
    expect((await served.post("/v1/events", wrong)).status).toBe(400);
    const [letter] = await itemsOf<{ n: number; code: string }>("/v1/dead-letters");
    const again = await served.post(`/v1/dead-letters/${letter?.n}/retry`, {});
    expect(again.status).toBe(400);
    expect(await itemsOf("/v1/dead-letters")).toHaveLength(2);
    expect((await served.post("/v1/dead-letters/99/retry", {})).body).toMatchObject({
      error: { code: "UNKNOWN_LETTER" },
    });
  });

  it("RETRY-1: one sent under a key is taken anew, not answered as before", async () => {
    const dead = event("claude-code.hook", { hook_event_name: "PreToolUse", session_id: "s1" });
    expect((await served.post("/v1/events", dead, { "Idempotency-Key": "k-1" })).status).toBe(400);
    expect((await served.post("/v1/dead-letters/1/retry", {})).status).toBe(400);
    expect(await itemsOf("/v1/dead-letters")).toHaveLength(2);
  });

  it("S3.3: the journal entry behind each change can be read as it came", async () => {
    await fiveCalls();
    const [newest] = await itemsOf<Change & { turn: number }>("/v1/sessions/s1/history");
    const { body } = await served.get(`/v1/journal/${newest?.turn}`);
    expect(body).toMatchObject({
      position: newest?.turn,
      type: "approval.requested",
      data: { approvalId: "a2" },
    });
    for (const position of ["0", "99999", "x"])
      expect((await served.get(`/v1/journal/${position}`)).status).toBe(404);
  });

  it("RETRY-1: a decision is never sent again", async () => {
    await fiveCalls();
    expect((await served.post("/v1/approvals/a2/decision", { decision: "maybe" })).status).toBe(400);
    const [letter] = await itemsOf<{ n: number }>("/v1/dead-letters");
    const again = await served.post(`/v1/dead-letters/${letter?.n}/retry`, {});
    expect(again.body).toMatchObject({ error: { code: "NOT_RETRIED" } });
  });
});
