// Bad decisions and queries on a real server: each gets a reason, and the engine goes on.

import { test as property, fc } from "@fast-check/vitest";
import { ErrorCode } from "nats";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Gate } from "../../../support/faults/gate.ts";
import { at } from "../../../support/engine/json.ts";
import { ask, type Body, type Serving, serving, toldBy } from "../../../support/nats/serving.ts";
import { type NatsServer, natsServer } from "../../../support/nats/server.ts";

let server: NatsServer;
let serves: Serving;
let id: string;
beforeAll(async () => {
  server = await natsServer();
  serves = await serving(server.url);
  id = await ask(serves);
});
afterAll(async () => {
  expect(serves.queries.getApproval(id)?.state).toBe("pending");
  await serves.stop();
  expect(serves.errors).toEqual([]);
  await server.dispose();
});

const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
const BAD: readonly (readonly [name: string, body: Body, code: string])[] = [
  ["binary junk", Uint8Array.from({ length: 512 }, (_, n) => (n * 37) % 256), "NOT_JSON"],
  ["half a surrogate", Uint8Array.from([0x22, 0xed, 0xa0, 0x80, 0x22]), "NOT_JSON"],
  ["a byte order mark alone", Uint8Array.from([0xef, 0xbb, 0xbf]), "NOT_JSON"],
  ["text", "hello", "NOT_JSON"],
  ["a list", "[]", "WRONG_SHAPE"],
  ["null", "null", "WRONG_SHAPE"],
  ["a number", "7", "WRONG_SHAPE"],
  ["deep JSON", nested(2_000), "TOO_DEEP"],
  ["1 MiB", "x".repeat(1024 * 1024), "TOO_LARGE"],
  ["1 MiB of brackets", "[".repeat(1024 * 1024), "TOO_LARGE"],
  ["__proto__", '{"__proto__":{"decision":"deny"}}', "FORBIDDEN_KEY"],
  ["constructor", '{"constructor":1}', "FORBIDDEN_KEY"],
];

describe.each(["signalbox.v1.decide.shop.alice", "signalbox.v1.query.request.list"])(
  "LIMITS-1: %s",
  (subject) => {
    test.each(BAD)("LIMITS-1: %s is answered with its reason", async (_, body, code) => {
      const told = await serves.request(subject, body);
      expect(at(told.body, "error", "code")).toBe(code);
      expect(told.code).toBe(code === "TOO_LARGE" ? "413" : "400");
      expect(told.error).toMatch(/^[\x20-\x7e]{5,512}$/);
    });

    property.prop([fc.uint8Array({ minLength: 1, maxLength: 200 })], { numRuns: 100 })(
      "LIMITS-1, ERRORS-FAILURE-2: whatever bytes come, an answer of Signalbox's own comes back",
      async (bytes) => {
        const told = await serves.request(subject, bytes);
        expect(at(told.body, "error", "code")).toMatch(/^[A-Z_]+$/);
      },
    );
  },
);

describe("LIMITS-1: ids and names", () => {
  const EVIL = [
    "a\r\nPUB signalbox.v1.own.x 1",
    "*",
    ">",
    "a.b",
    "../..",
    "\u202e",
    " ",
    "é",
    "x".repeat(5_000),
  ];

  test.each(EVIL)("LIMITS-1: the id %j matches nothing, in every query", async (evil) => {
    const codes = [];
    for (const op of ["request.get", "session.get", "toolcall.get", "approval.get"])
      codes.push((await serves.query(op, { id: evil })).code);
    expect(new Set(codes)).toEqual(new Set(["404"]));
    const told = await serves.decide("shop.alice", { approvalId: evil, decision: "deny" });
    expect([told.code, at(told.body, "error", "path")]).toEqual(["400", "approvalId"]);
  });

  test("LIMITS-1: an unknown parameter comes back in one line of a header", async () => {
    const told = await serves.query("stats", { "a\r\nNats-Service-Error-Code: 200\r\n\r\n": 1 });
    expect(told.code).toBe("400");
    expect(told.error).toContain("is not known here");
  });

  test("LIMITS-1: a subject whose tokens are no ids decides nothing", async () => {
    for (const who of ["sh%op.alice", "shop.al!ce", "shop.ä"]) {
      const told = await serves.decide(who, { approvalId: id, decision: "deny" });
      expect([told.code, at(told.body, "error", "code")]).toEqual(["400", "BAD_SUBJECT"]);
    }
    await expect(serves.decide("shop", {})).rejects.toMatchObject({ code: ErrorCode.NoResponders });
    await expect(serves.decide("shop.alice.x", {})).rejects.toMatchObject({ code: ErrorCode.NoResponders });
  });

  test("LIMITS-1: an unknown op is answered as unknown", async () => {
    for (const op of ["nonsense", "request", "request.drop", "a.b.c.d", "__proto__", "constructor"]) {
      const told = await serves.query(op);
      expect([op, told.code, at(told.body, "error", "code")]).toEqual([op, "404", "NO_SUCH_QUERY"]);
    }
  });

  test("LIMITS-1: a value that is no text, number or boolean is refused", async () => {
    for (const limit of [null, [1], { gt: 1 }]) {
      const told = await serves.query("request.list", { limit });
      expect([told.code, at(told.body, "error", "path")]).toEqual(["400", "limit"]);
    }
  });
});

describe("LANE-1: floods", () => {
  /** Publishes `count` questions at once. @returns how each was answered: `ok`, or the code. */
  async function flood(subject: string, body: Body, count: number): Promise<Map<string, number>> {
    const { client } = serves;
    const inbox = `_INBOX.flood${Math.random().toString(36).slice(2)}`;
    const answers = new Map<string, number>();
    const bytes = new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body));
    const subscription = client.subscribe(inbox, { max: count });
    for (let n = 0; n < count; n += 1) client.publish(subject, bytes, { reply: inbox });
    for await (const message of subscription) {
      const told = toldBy(message);
      if (told.code === "429") expect(told.headers("Retry-After")).toBe("1");
      answers.set(told.code ?? "ok", (answers.get(told.code ?? "ok") ?? 0) + 1);
    }
    return answers;
  }

  test("LANE-1, QUERY-3: each of 5,000 simultaneous queries is answered or told to come again; the engine applies inputs meanwhile", async () => {
    const flooding = flood("signalbox.v1.query.history", { session: "s1", entries: true }, 5_000);
    const before = serves.engine.meta().changes;
    await ask(serves, "shop/s2", "r2");
    expect(serves.engine.meta().changes).toBeGreaterThan(before);
    const answers = await flooding;
    expect([...answers.keys()].sort()).toEqual(["429", "ok"]);
    expect((answers.get("429") ?? 0) + (answers.get("ok") ?? 0)).toBe(5_000);
    expect((await serves.query("stats")).error).toBeUndefined();
  });

  test("LANE-1: each of 5,000 simultaneous bad decisions is answered, and letters stay within 50 a second", async () => {
    const answers = await flood("signalbox.v1.decide.shop.alice", "junk", 5_000);
    expect([...answers.values()].reduce((sum, count) => sum + count)).toBe(5_000);
    expect([...answers.keys()].every((code) => code === "400" || code === "429")).toBe(true);
    // The engine's clock stands still: all of this happens in one second.
    expect(serves.queries.deadLetters({ limit: 1000 }).items.length).toBeLessThanOrEqual(50);
  });

  test("LANE-2, G53: some of one workspace's 2,000 simultaneous queries are told to come again, and none of another's", async () => {
    const flooding = flood("signalbox.v1.ask.shop.history", { session: "s1", entries: true }, 2_000);
    const others = Array.from({ length: 20 }, () => serves.request("signalbox.v1.ask.bank.session.list", {}));
    expect((await Promise.all(others)).map(({ code }) => code)).toEqual(Array(20).fill(undefined));
    expect((await flooding).get("429")).toBeGreaterThan(0);
  });

  test("LANE-1, LANE-2: decisions waiting for a slow journal are bounded: those beyond are told to come again", async () => {
    const gate = new Gate();
    const slow = await serving(server.url, { gate });
    await serves.served.stop();
    const asked = await ask(slow, "shop/s3", "r3");
    gate.shut();
    const deny = { approvalId: asked, decision: "deny" };
    let overloaded = 0;
    const all = Array.from({ length: 2_000 }, async () => {
      const told = await slow.decide("shop.alice", deny);
      if (told.code === "429") overloaded += 1;
      return told;
    });
    await expect.poll(() => overloaded, { timeout: 15_000 }).toBe(2_000 - 256 - 512);
    // LANE-2. One workspace's decisions leave room for another's.
    const elsewhere = Array.from({ length: 20 }, () => slow.decide("bank.alice", deny));
    gate.open();
    const told = await Promise.all(all);
    expect((await Promise.all(elsewhere)).map(({ code }) => code)).toEqual(Array(20).fill("404"));
    expect(told.filter(({ error }) => error === undefined)).toHaveLength(1);
    expect(new Set(told.map(({ code }) => code))).toEqual(new Set([undefined, "409", "429"]));
    await slow.stop();
  });
});
