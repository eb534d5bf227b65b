// HTTP: bad input
// Input that must be refused gets a clear answer and one dead letter, and the engine goes on as if it had not come.

import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { at, listAt } from "../../support/engine/json.ts";
import { event, rawRequest, serve, type Served, TOKEN } from "../../support/http/served.ts";

let served: Served;
beforeAll(async () => {
  served = await serve();
});
afterAll(() => served.stop());

/** Every row but the letters themselves, and what every message leaves, accepted or not: counters, quota, proof. */
const state = (): string =>
  JSON.stringify(
    [...served.engine.store.range({ gte: "!", lt: "~" })].filter(
      ([key]) => !/^(meta$|dead\/|quota\/|proof\/)/.test(key),
    ),
  );

const letters = async (): Promise<readonly unknown[]> =>
  listAt((await served.get("/v1/dead-letters?limit=1000")).body, "items");

const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);
const good = (): object => event("tool.started", { tool: "Read", input: { file_path: "/a" } });
const withData = (type: string, data: string): string =>
  JSON.stringify(event(type, 0)).replace(/"data":0}$/, () => `"data":${data}}`);

/** A message of exactly this many bytes. */
const ofBytes = (bytes: number): string => {
  const make = (prompt: string): string =>
    withData("request.created", `{"requestId":"big","prompt":"${prompt}"}`);
  const text = make("");
  return text.replace('"prompt":"', `"prompt":"${"x".repeat(bytes - text.length)}`);
};

interface Case {
  readonly name: string;
  readonly body: string;
  readonly status: number;
  readonly code: string;
  readonly path?: string;
}

const bad = (name: string, body: unknown, status: number, code: string, path?: string): Case => ({
  name,
  body: typeof body === "string" ? body : JSON.stringify(body),
  status,
  code,
  ...(path !== undefined && { path }),
});

const cases: readonly Case[] = [
  bad("an unknown type", event("request.exploded", {}), 400, "UNKNOWN_TYPE", "type"),
  bad("an event of XState", event("xstate.stop", {}), 400, "UNKNOWN_TYPE", "type"),
  bad("the engine's own word", event("decision", { approvalId: "a" }), 403, "NOT_AUTHORISED", "type"),
  bad("a wrong shape", event("request.created", { requestId: 7 }), 400, "WRONG_SHAPE", "data.requestId"),
  bad("an empty id", event("request.created", { requestId: "r" }, { id: "" }), 400, "WRONG_SHAPE", "id"),
  bad(
    "an empty id in the data",
    event("request.created", { requestId: "" }),
    400,
    "WRONG_SHAPE",
    "data.requestId",
  ),
  bad(
    "CRLF in an id",
    event("request.created", { requestId: "r\r\n" }),
    400,
    "WRONG_SHAPE",
    "data.requestId",
  ),
  bad(
    "a wildcard in an id",
    event("tool.started", { tool: "Bash", toolUseId: "*" }),
    400,
    "WRONG_SHAPE",
    "data.toolUseId",
  ),
  bad(
    "a wildcard in the subject",
    event("request.created", { requestId: "r" }, { subject: "shop/>" }),
    400,
    "BAD_SUBJECT",
    "subject",
  ),
  bad(
    "__proto__ in the data",
    withData("request.created", '{"requestId":"r","__proto__":{"x":1}}'),
    400,
    "FORBIDDEN_KEY",
    "data.__proto__",
  ),
  bad(
    "constructor in the data",
    withData("session.started", '{"constructor":{"prototype":{"x":1}}}'),
    400,
    "FORBIDDEN_KEY",
    "data.constructor",
  ),
  bad(
    "65 levels",
    withData("tool.started", `{"tool":"Bash","input":${nested(64)}}`),
    400,
    "TOO_DEEP",
    `data.input${"[0]".repeat(63)}`,
  ),
  bad("brackets without end", "[".repeat(50_000), 400, "TOO_DEEP", "data"),
  bad("256 KiB and one byte", ofBytes(256 * 1024 + 1), 413, "TOO_LARGE"),
  bad(
    "10,001 keys",
    withData(
      "tool.started",
      `{"tool":"B","input":{${Array.from({ length: 10_001 }, (_, n) => `"${n}":0`).join(",")}}}`,
    ),
    400,
    "TOO_MANY_KEYS",
    "data.input",
  ),
  bad("a cut line", '{"specversion":"1.0","id":"1"', 400, "NOT_JSON"),
  bad("nothing", "", 400, "NOT_JSON"),
  bad("an empty list", [], 400, "WRONG_SHAPE", ""),
  bad("1,001 events", Array.from({ length: 1_001 }, good), 400, "WRONG_SHAPE", ""),
  bad(
    "a raw line without a shape",
    event("claude-code.hook", { hook_event_name: "PreToolUse" }),
    400,
    "WRONG_SHAPE",
    "session_id",
  ),
];

describe("G36: a clear answer, one dead letter, and nothing else", () => {
  test.each(cases)("G36: $name", async ({ body, status, code, path }) => {
    const before = { state: state(), letters: await letters() };
    const answered = await served.post("/v1/events", body);
    expect(answered.status).toBe(status);
    expect(at(answered.body, "error", "code")).toBe(code);
    expect(at(answered.body, "error", "path")).toBe(path);
    expect(String(at(answered.body, "error", "message")).length).toBeGreaterThan(10);
    expect(String(at(answered.body, "error", "next")).length).toBeGreaterThan(5);

    const after = await letters();
    expect(after).toHaveLength(before.letters.length + 1);
    expect(after[0]).toMatchObject({ code, reason: at(answered.body, "error", "message") });
    expect(state()).toBe(before.state);

    const next = await served.post("/v1/events", good());
    expect(at(next.body, "outcome")).toBe("applied");
    served.clock.advance(1000);
  });

  it("G36, DOOR-REFUSALS-1: a letter says where the input came from, how it began and its hash", async () => {
    const body = JSON.stringify(event("request.exploded", { text: "y".repeat(40_000) }));
    await served.post("/v1/events", body);
    const [letter] = await letters();
    expect(letter).toMatchObject({
      door: "http:/v1/events",
      by: "local:tester",
      bytes: body.length,
      sha256: createHash("sha256").update(body).digest("hex"),
      body: body.slice(0, 16_384),
    });
  });

  it("G36: 256 KiB are not too much", async () => {
    expect((await served.post("/v1/events", ofBytes(256 * 1024))).status).toBe(200);
  });

  it("G36: tool input may hold any key, and comes back unchanged", async () => {
    const input = '{"__proto__":{"polluted":true},"constructor":{"prototype":1},"xstate$$type":1}';
    const sent = withData("tool.started", `{"tool":"Bash","toolUseId":"hostile","input":${input}}`);
    expect((await served.post("/v1/events", sent)).status).toBe(200);
    const shown = await served.get("/v1/tool-calls/hostile");
    expect(JSON.stringify(at(shown.body, "input"))).toBe(input);
    expect(at(shown.body, "inputHash")).toBe(createHash("sha256").update(input).digest("hex"));
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it("G36, DOOR-1: each bad event of a list has its own letter and path; the others are taken in their order", async () => {
    const before = (await letters()).length;
    const list = [
      event("request.created", { requestId: "l1" }, { subject: "shop/list" }),
      event("request.created", {}, { subject: "shop/list" }),
      event("request.created", { requestId: "l1" }, { subject: "shop/list" }),
      event("xstate.init", {}, { subject: "shop/list" }),
      event("request.processing", { requestId: "l1" }, { subject: "shop/list" }),
    ];
    const answered = await served.post("/v1/events", list);
    expect(answered.status).toBe(207);
    const results = listAt(answered.body, "results");
    expect(results.map((each) => at(each, "outcome"))).toEqual([
      "applied",
      "refused",
      "rejected",
      "refused",
      "applied",
    ]);
    expect(at(results[1], "error", "path")).toBe("[1].data.requestId");
    expect(at(results[3], "error", "path")).toBe("[3].type");
    expect(at(answered.body, "error", "path")).toBe("[1].data.requestId");
    const [first, , third, , fifth] = results.map((each) => Number(at(each, "position")));
    expect([third, fifth]).toEqual([(first ?? 0) + 1, (first ?? 0) + 2]);
    const after = await letters();
    expect(
      after
        .slice(0, after.length - before)
        .map((letter) => at(letter, "path"))
        .sort(),
    ).toEqual(["data.requestId", "type"]);
  });

  it("G36: a list of only bad events is answered like the first of them", async () => {
    const answered = await served.post("/v1/events", [event("decision", {}), event("x", {})]);
    expect(answered.status).toBe(403);
    expect(listAt(answered.body, "results")).toHaveLength(2);
  });

  it("G36, BODY-1: a body over 8 MiB is refused before it is read to its end", async () => {
    const before = (await letters()).length;
    const answered = await served.post("/v1/events", "x".repeat(9 << 20));
    expect(answered.status).toBe(413);
    const [letter, ...others] = await letters();
    expect(letter).toMatchObject({ code: "TOO_LARGE", bytes: 9 << 20, body: "x".repeat(16_384) });
    expect(at(letter, "sha256")).toBeUndefined();
    expect(others).toHaveLength(before);
  });

  it("G36: so is one that does not declare its length", async () => {
    const headers = [
      ["Host", new URL(served.url).host],
      ["Authorization", `Bearer ${TOKEN}`],
      ["Content-Type", "application/json"],
      ["Transfer-Encoding", "chunked"],
    ] as const;
    const answered = await rawRequest(served.url, "POST", "/v1/events", headers, "x".repeat(9 << 20));
    expect(answered.status).toBe(413);
  });
});

it("DOOR-REFUSALS-2: in a flood of refusals at most 50 a second get a letter, and the next letter tells how many did not", async () => {
  const flooded = await serve();
  const post = () => flooded.post("/v1/events", event("no.such", {}));
  const answers = await Promise.all(Array.from({ length: 80 }, post));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400]));
  const deads = async () => listAt((await flooded.get("/v1/dead-letters?limit=1000")).body, "items");
  expect(await deads()).toHaveLength(50);
  flooded.clock.advance(1000);
  await post();
  const after = await deads();
  expect(after).toHaveLength(51);
  expect(at(after[0], "unrecorded")).toBe(30);
  expect((await flooded.get("/metrics")).body).toContain("signalbox_refusals_total 81\n");
  await flooded.stop();
});
