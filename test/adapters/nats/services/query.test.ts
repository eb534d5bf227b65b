// Queries over NATS: all of them, as a service, on a real server.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { at, listAt, textAt } from "../../../support/engine/json.ts";
import { event, serve } from "../../../support/http/served.ts";
import { configuredServer } from "../../../support/nats/configured.ts";
import { ask, type Serving, serving } from "../../../support/nats/serving.ts";
import { type NatsServer, natsServer } from "../../../support/nats/server.ts";

let server: NatsServer;
let serves: Serving;
beforeAll(async () => {
  server = await natsServer();
  serves = await serving(server.url);
  await ask(serves);
});
afterAll(async () => {
  await serves.stop();
  expect(serves.errors).toEqual([]);
  await server.dispose();
});

const items = (body: unknown): readonly unknown[] => listAt(body, "items");

describe("Services: the service", () => {
  test("Services: it can be found by name, is described, and counts its requests and errors", async () => {
    const { client } = serves;
    await serves.query("stats");
    await serves.query("request.get", { id: "nobody" });
    const monitor = client.services.client();
    const [ping] = await allOf(await monitor.ping("signalbox"));
    expect(ping).toMatchObject({ name: "signalbox", version: "1.2.3" });
    const [info] = await allOf(await monitor.info("signalbox"));
    expect(info?.endpoints.map(({ subject }) => subject).sort()).toEqual(
      [
        ...[
          "alarm.list",
          "answers",
          "approval.answer",
          "approval.get",
          "approval.list",
          "change.list",
          "deadletter.get",
          "deadletter.list",
          "entry.get",
          "history",
          "request.get",
          "request.list",
        ],
        ...["rule.get", "rule.list", "rule.suggestions"],
        "search",
        ...["session.get", "session.list", "session.rejections", "stats", "toolcall.get", "toolcall.list"],
      ].map((op) => `signalbox.v1.query.${op}`),
    );
    expect(info?.endpoints.find(({ name }) => name === "history")?.metadata).toEqual({
      parameters: "session,workspace,entity,id,call,entries,standing,limit,cursor",
    });
    const [stats] = await allOf(await monitor.stats("signalbox"));
    const counted = (name: string) => stats?.endpoints?.find((each) => each.name === name);
    expect(counted("stats")?.num_requests).toBeGreaterThanOrEqual(1);
    expect(counted("request-get")?.data).toMatchObject({ lastError: "NOT_FOUND" });
  });
});

async function allOf<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const each of stream) found.push(each);
  return found;
}

describe("S1.16–S1.18: what may be asked", () => {
  test("S1.16: reads one thing by id, with the change to follow from and the session's version", async () => {
    const { engine, queries } = serves;
    const session = await serves.query("session.get", { id: "s1" });
    expect(session.body).toEqual(JSON.parse(JSON.stringify(queries.getSession("s1"))));
    expect(session.headers("Signalbox-Change")).toBe(`${engine.incarnation}-${engine.meta().changes}`);
    expect(session.headers("Signalbox-Version")).toBe(String(queries.versionOf("s1")));
    expect((await serves.query("request.get", { id: "r1" })).body).toMatchObject({ requestId: "r1" });
    expect((await serves.query("toolcall.get", { id: "r1-t0", session: "s1" })).body).toMatchObject({
      tool: "Bash",
    });
    const [pending] = items((await serves.query("approval.list", { state: "pending" })).body);
    const id = String(at(pending, "id"));
    expect((await serves.query("approval.get", { id })).body).toMatchObject({ id, state: "pending" });
  });

  test("S1.17: lists by filter, in pages", async () => {
    const first = await serves.query("toolcall.list", { session: "s1", limit: 2 });
    expect(items(first.body).map((call) => at(call, "id"))).toEqual(["r1-t2", "r1-t1"]);
    const cursor = textAt(first.body, "nextCursor") ?? "";
    const second = await serves.query("toolcall.list", { session: "s1", limit: 2, cursor });
    expect(items(second.body).map((call) => at(call, "id"))).toEqual(["r1-t0"]);
    expect(textAt(second.body, "nextCursor")).toBeUndefined();
    for (const [op, count] of [
      ["session.list", 1],
      ["request.list", 1],
      ["approval.list", 1],
      ["deadletter.list", 0],
    ] as const)
      expect(items((await serves.query(op)).body)).toHaveLength(count);
    expect(items((await serves.query("request.list", { workspace: "elsewhere" })).body)).toEqual([]);
    expect((await serves.query("stats")).body).toMatchObject({ counts: { requests: { processing: 1 } } });
  });

  test("S1.29: gives the history with the journal entries behind it", async () => {
    const { body } = await serves.query("history", { session: "s1", entries: true });
    const turns = new Set(items(body).map((change) => at(change, "turn")));
    const entries = listAt(body, "entries");
    expect(new Set(entries.map((entry) => at(entry, "position")))).toEqual(turns);
    expect(entries.at(-1)).toMatchObject({ door: "in", type: "request.created", data: { requestId: "r1" } });
    expect(at((await serves.query("history", { session: "s1" })).body, "entries")).toBeUndefined();
  });

  test("PARAMETERS-1, SERVICES-REPLY-2: the same queries get the same errors as over HTTP", async () => {
    const http = await serve();
    const cases = [
      ["request.list", { nonsense: "1" }, "/v1/requests?nonsense=1"],
      ["request.list", { limit: 0 }, "/v1/requests?limit=0"],
      ["request.list", { limit: "1e3" }, "/v1/requests?limit=1e3"],
      ["request.list", { state: "odd" }, "/v1/requests?state=odd"],
      ["request.list", { since: "yesterday" }, "/v1/requests?since=yesterday"],
      ["request.list", { cursor: "eA" }, "/v1/requests?cursor=eA"],
      ["request.list", { workspace: "" }, "/v1/requests?workspace="],
      ["session.get", { id: "nobody" }, "/v1/sessions/nobody"],
      ["toolcall.list", { session: "nobody" }, "/v1/sessions/nobody/tool-calls"],
      ["history", { session: "nobody", entries: "maybe" }, "/v1/sessions/nobody/history?entries=maybe"],
    ] as const;
    for (const [op, asked, path] of cases) {
      const [told, over] = await Promise.all([serves.query(op, asked), http.get(path)]);
      expect([op, told.code, told.body]).toEqual([op, String(over.status), over.body]);
      expect(told.error).toBe(at(over.body, "error", "message"));
    }
    await http.stop();
  });
});

describe("QUERY-2: long answers", () => {
  test("QUERY-2: a page over the server's max_payload is shortened, and its cursors lead to every row once", async () => {
    const small = await configuredServer("max_payload: 32768");
    const narrow = await serving(small.url);
    const of = { subject: "shop/big" };
    await narrow.send(event("request.created", { requestId: "big" }, of));
    for (let n = 0; n < 40; n += 1) {
      const call = {
        tool: "Write",
        toolUseId: `c${n}`,
        requestId: "big",
        input: { text: "x".repeat(n * 200) },
      };
      narrow.clock.advance(1);
      await narrow.send(event("tool.started", call, of));
    }
    const seen: unknown[] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
      const asked = { session: "big", limit: 1000, ...(cursor !== undefined && { cursor }) };
      const told = await narrow.query("toolcall.list", asked);
      expect(told.error).toBeUndefined();
      seen.push(...items(told.body).map((call) => at(call, "id")));
      cursor = textAt(told.body, "nextCursor");
      pages += 1;
    } while (cursor !== undefined);
    expect(pages).toBeGreaterThan(4);
    expect(seen).toEqual(Array.from({ length: 40 }, (_, n) => `c${39 - n}`));
    const huge = { tool: "Write", toolUseId: "huge", requestId: "big", input: { text: "y".repeat(40_000) } };
    await narrow.send(event("tool.started", huge, of));
    const told = await narrow.query("toolcall.get", { id: "huge" });
    expect([told.code, at(told.body, "error", "code")]).toEqual(["413", "ANSWER_TOO_LARGE"]);
    await narrow.stop();
    await small.dispose();
  });

  test("QUERY-2, G30: a change that no message can carry is left out of its page and counted, and blocks none behind it", async () => {
    const small = await configuredServer("max_payload: 16384");
    const narrow = await serving(small.url);
    const prompts = ["short", "x".repeat(20_000), "short", "short"];
    for (const [n, prompt] of prompts.entries())
      await narrow.send(event("request.created", { requestId: `r${n}`, prompt }, { subject: "shop/s1" }));
    const seen: unknown[] = [];
    let unreadable = 0;
    let after = "start";
    for (let more = true; more;) {
      const { body, error } = await narrow.query("change.list", {
        workspace: "shop",
        entity: "request",
        after,
      });
      expect(error).toBeUndefined();
      seen.push(...items(body).map((change) => at(change, "id")));
      unreadable += Number(at(body, "unreadable") ?? 0);
      after = textAt(body, "next") ?? "";
      more = at(body, "more") === true;
    }
    expect([seen, unreadable]).toEqual([["r0", "r2", "r3"], 1]);
    await narrow.stop();
    await small.dispose();
  });
});

describe("CONNECT-1: the server goes and comes back", () => {
  test("CONNECT-1: killed and restarted, the server finds the services again", async () => {
    const own = await natsServer();
    const here = await serving(own.url);
    const id = await ask(here);
    await own.kill();
    await own.start();
    const again = async (): Promise<unknown> => {
      try {
        return at((await here.query("approval.get", { id })).body, "state");
      } catch {
        return "nobody there yet";
      }
    };
    await expect.poll(again, { timeout: 20_000 }).toBe("pending");
    const told = await here.decide("shop.alice", { approvalId: id, decision: "deny" });
    expect(told.body).toMatchObject({ result: "accepted", state: "denied" });
    await here.stop();
    await own.dispose();
  });
});
