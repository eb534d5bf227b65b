// HTTP: reading
// What the routes show of sessions, calls, approvals and refused inputs.

import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { at, listAt, textAt } from "../../support/engine/json.ts";
import { event, serve, type Served } from "../../support/http/served.ts";

let served: Served;
const TOOLS = ["Read", "Bash", "Grep"];

/** Three requests of seven calls each in one session; every other call is finished. */
beforeAll(async () => {
  served = await serve();
  for (const request of ["q1", "q2", "q3"]) {
    served.clock.advance(1000);
    await served.post("/v1/events", [
      event("request.created", { requestId: request }, { subject: "shop/calls" }),
      event("request.processing", { requestId: request }, { subject: "shop/calls" }),
    ]);
    for (let n = 0; n < 7; n += 1) {
      served.clock.advance(10);
      const call = {
        toolUseId: `${request}-t${n}`,
        tool: TOOLS[n % 3],
        input: { n },
        requestId: request,
      };
      await served.post("/v1/events", event("tool.started", call, { subject: "shop/calls" }));
      if (n % 2 === 0)
        await served.post(
          "/v1/events",
          event("tool.finished", { ...call, output: `result ${n}` }, { subject: "shop/calls" }),
        );
    }
  }
});
afterAll(() => served.stop());

const items = (body: unknown): readonly unknown[] => listAt(body, "items");
const ids = (body: unknown): readonly string[] => items(body).map((item) => String(at(item, "id")));

async function allIds(path: string): Promise<readonly string[]> {
  const found: string[] = [];
  let cursor = "";
  do {
    const { body } = await served.get(`${path}${cursor === "" ? "" : `&cursor=${cursor}`}`);
    found.push(...ids(body));
    cursor = textAt(body, "nextCursor") ?? "";
  } while (cursor !== "");
  return found;
}

const every = ["q3", "q2", "q1"].flatMap((request) => [6, 5, 4, 3, 2, 1, 0].map((n) => `${request}-t${n}`));

describe("S3.18: the calls of a session", () => {
  test.each([1, 2, 5, 7, 8, 21, 100])(
    "S3.18: newest first, %i a page, none twice, none missing",
    async (limit) => {
      expect(await allIds(`/v1/sessions/calls/tool-calls?limit=${limit}`)).toEqual(every);
    },
  );

  it("S3.18: filtered by request, and by state", async () => {
    expect(await allIds("/v1/sessions/calls/tool-calls?request=q2&limit=3")).toEqual(every.slice(7, 14));
    const open = await allIds("/v1/sessions/calls/tool-calls?state=processing&limit=2");
    expect(open).toEqual(every.filter((id) => Number(id.at(-1)) % 2 === 1));
  });

  it("S3.18: a list shows no outputs; the call itself shows everything", async () => {
    const [first] = items((await served.get("/v1/sessions/calls/tool-calls?limit=1")).body);
    expect([at(first, "execution"), at(first, "output")]).toEqual(["completed", undefined]);
    expect(await served.get("/v1/tool-calls/q3-t6")).toMatchObject({
      body: { workspace: "shop", sessionId: "calls", output: "result 6", input: { n: 6 } },
    });
  });

  it("S3.18: an input over 16 KiB is shown as hash and length in a list, and whole in the call itself", async () => {
    const input = { text: "x".repeat(20_000) };
    const call = { toolUseId: "big", tool: "Write", input };
    await served.post("/v1/events", event("tool.started", call, { subject: "shop/big" }));
    const [listed] = items((await served.get("/v1/sessions/big/tool-calls")).body);
    expect([at(listed, "input"), at(listed, "inputBytes")]).toEqual([
      undefined,
      JSON.stringify(input).length,
    ]);
    expect((await served.get("/v1/tool-calls/big")).body).toMatchObject({ input });
  });
});

describe("LOOKUP-1: ids with several matches", () => {
  it("LOOKUP-1: a tool id in two sessions is answered with the list of matches, and found with a hint", async () => {
    for (const subject of ["shop/fork-1", "shop/fork-2"])
      await served.post(
        "/v1/events",
        event("tool.started", { toolUseId: "twin", tool: "Read" }, { subject }),
      );
    const answered = await served.get("/v1/tool-calls/twin");
    expect(answered.status).toBe(409);
    expect(at(answered.body, "error", "code")).toBe("AMBIGUOUS");
    expect(listAt(answered.body, "candidates")).toEqual([
      { workspace: "shop", sessionId: "fork-1", id: "twin" },
      { workspace: "shop", sessionId: "fork-2", id: "twin" },
    ]);
    expect((await served.get("/v1/tool-calls/twin?session=fork-2")).body).toMatchObject({
      sessionId: "fork-2",
    });
  });

  it("LOOKUP-1: so is a session id in two workspaces, on every route of a session", async () => {
    for (const subject of ["shop/same", "bank/same"])
      await served.post("/v1/events", event("session.started", {}, { subject }));
    for (const path of ["", "/tool-calls", "/history", "/rejections"]) {
      expect((await served.get(`/v1/sessions/same${path}`)).status).toBe(409);
      expect((await served.get(`/v1/sessions/same${path}?workspace=bank`)).status).toBe(200);
    }
  });
});

describe("S1.29: history", () => {
  it("S1.29: every change of a session, newest first, and of no other", async () => {
    const versions: number[] = [];
    let cursor = "";
    do {
      const { body } = await served.get(`/v1/sessions/calls/history?limit=9${cursor && `&cursor=${cursor}`}`);
      for (const change of items(body)) {
        expect(at(change, "sessionId")).toBe("calls");
        versions.push(Number(at(change, "version")));
      }
      cursor = textAt(body, "nextCursor") ?? "";
    } while (cursor !== "");
    expect(versions).toEqual(Array.from({ length: versions.length }, (_, n) => versions.length - n));
    expect(versions.length).toBeGreaterThan(60);
  });

  it("I-20: refused inputs are shown with their reason, newest first", async () => {
    const queue = (requestId: string, subject: string) =>
      served.post("/v1/events", event("request.queued", { requestId }, { subject }));
    await served.post("/v1/events", event("session.started", {}, { subject: "shop/turned" }));
    for (const id of ["no-1", "no-2"]) await queue(id, "shop/turned");
    const { body } = await served.get("/v1/sessions/turned/rejections");
    expect(at(body, "rejected")).toBe(2);
    expect(items(body).map((item) => at(item, "reason"))).toEqual([
      "request no-2 is not known in this session",
      "request no-1 is not known in this session",
    ]);
    await queue("no-3", "shop/unborn");
    expect((await served.get("/v1/sessions/unborn")).status).toBe(404);
    expect(at((await served.get("/v1/sessions/unborn/rejections?workspace=shop")).body, "rejected")).toBe(1);
  });
});

describe("PARAMETERS-1: queries that cannot be answered", () => {
  test.each([
    ["/v1/requests?stat=created", "stat"],
    ["/v1/requests?state=open", "state"],
    ["/v1/requests?state=created&state=queued", "state"],
    ["/v1/requests?workspace=", "workspace"],
    ["/v1/requests?since=yesterday", "since"],
    ["/v1/requests?limit=0", "limit"],
    ["/v1/requests?limit=1e3", "limit"],
    ["/v1/requests?limit=1001", "limit"],
    ["/v1/requests?cursor=abc", "cursor"],
    ["/v1/approvals?state=open", "state"],
    ["/v1/sessions?state=dead", "state"],
    ["/v1/sessions/calls/tool-calls?state=denid", "state"],
    ["/v1/requests/r1?session=a", "session"],
  ])("PARAMETERS-1: %s is refused for its %s", async (path, name) => {
    const answered = await served.get(path);
    expect([answered.status, at(answered.body, "error", "path")]).toEqual([400, name]);
  });

  test.each([
    "/v1/requests/nobody",
    "/v1/sessions/nobody",
    "/v1/sessions/nobody/tool-calls",
    "/v1/sessions/nobody/history",
    "/v1/tool-calls/nobody",
    "/v1/approvals/nobody",
    `/v1/tool-calls/${"x".repeat(3000)}`,
    "/v1/tool-calls/%2e%2e%2fmeta",
    "/v2/requests",
  ])("ERRORS-FAILURE-1, G39: %s is not found, and says what to do", async (path) => {
    const answered = await served.get(path);
    expect(answered.status).toBe(404);
    expect(textAt(answered.body, "error", "next")?.length).toBeGreaterThan(10);
  });

  it("S1.18: since and until take ms and ISO times; an empty result is an empty list", async () => {
    const iso = new Date(1_800_000_001_000).toISOString();
    for (const since of [iso, "1800000001000"]) {
      const { body } = await served.get(`/v1/requests?session=calls&since=${since}&until=1800000001001`);
      expect(items(body).map((item) => at(item, "requestId"))).toEqual(["q1"]);
    }
    expect((await served.get("/v1/requests?workspace=nowhere")).body).toEqual({ items: [] });
    expect((await served.get("/v1/requests?workspace=a/b")).body).toEqual({ items: [] });
  });
});

it("S1.17: the machines are shown as they are defined", async () => {
  const { body } = await served.get("/v1/machines");
  for (const [name, state] of [
    ["session", "idle"],
    ["approval", "pending"],
  ] as const)
    expect(at(body, "machines", name, "definition", "states", state, "key")).toBe(state);
  expect(Object.keys(at(body, "machines") as object)).toHaveLength(4);
});
