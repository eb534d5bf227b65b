// Decisions over NATS: who may decide, what counts, and the fate of a decision nobody waits for.

import { createHash } from "node:crypto";
import { connect, MsgHdrsImpl } from "nats";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { at, listAt } from "../../../support/engine/json.ts";
import { configuredServer } from "../../../support/nats/configured.ts";
import { headOf, manyNames, rawClient } from "../../../support/nats/raw.ts";
import { ask, INPUT, type Serving, serving } from "../../../support/nats/serving.ts";
import { type NatsServer, natsServer } from "../../../support/nats/server.ts";

let server: NatsServer;
let serves: Serving;
beforeAll(async () => {
  server = await natsServer();
});
afterAll(() => server.dispose());
beforeEach(async () => {
  serves = await serving(server.url);
});
afterEach(async () => {
  await serves.stop();
  expect(serves.errors).toEqual([]);
});

const HASH = createHash("sha256").update(JSON.stringify(INPUT)).digest("hex");
const approve = (approvalId: string) => ({ approvalId, decision: "approve", inputHash: HASH });
const deny = (approvalId: string) => ({ approvalId, decision: "deny" });
const stateOf = (id: string) => serves.queries.getApproval(id)?.state;
const letters = () => serves.queries.deadLetters().items;

describe("I-08: what counts", () => {
  test("I-08: an approval with the hash of its input counts, under the subject's name, once committed", async () => {
    const id = await ask(serves);
    const told = await serves.decide("shop.alice", { ...approve(id), message: "go" });
    expect(told.error).toBeUndefined();
    expect(told.body).toMatchObject({ result: "accepted", approvalId: id, state: "approved" });
    expect(at(told.body, "position")).toBe(serves.engine.meta().position);
    expect(serves.queries.getApproval(id)).toMatchObject({ by: "nats:alice", message: "go" });
  });

  test("SERVICES-DECIDE-2: a payload that names the decider is refused, with the field at fault", async () => {
    const id = await ask(serves);
    const told = await serves.decide("shop.mallory", { ...deny(id), by: "nats:alice" });
    expect([told.code, at(told.body, "error", "path")]).toEqual(["400", "by"]);
    expect(told.error).toContain("by");
    expect(stateOf(id)).toBe("pending");
    expect(letters()).toMatchObject([
      { code: "WRONG_SHAPE", path: "by", door: "nats:signalbox.v1.decide.shop.mallory", by: "nats:mallory" },
    ]);
  });

  test("I-08: without the hash, or with a wrong one, it stays pending and the asker is told why", async () => {
    const id = await ask(serves);
    const without = await serves.decide("shop.alice", { approvalId: id, decision: "approve" });
    expect([without.code, at(without.body, "error", "path")]).toEqual(["400", "inputHash"]);
    const another = await serves.decide("shop.alice", { ...approve(id), inputHash: "x" });
    expect(another.code).toBe("409");
    expect(another.body).toMatchObject({ result: "refused", reason: "input-changed", state: "pending" });
    expect(stateOf(id)).toBe("pending");
  });

  test("G5: when the answer to a denial arrives, the denial and its cascade are stored", async () => {
    const id = await ask(serves);
    await serves.decide("shop.alice", { ...deny(id), message: "not today", interrupt: true });
    const calls = ["r1-t0", "r1-t1", "r1-t2"].map((call) => serves.queries.getToolCall(call)?.execution);
    expect(calls).toEqual(["denied", "denied", "denied"]);
  });

  test("I-14: of twenty simultaneous approvers one counts; the others are told which decision came first", async () => {
    const id = await ask(serves);
    const told = await Promise.all(
      Array.from({ length: 20 }, (_, n) => serves.decide(`shop.a${n}`, n % 2 ? deny(id) : approve(id))),
    );
    const accepted = told.filter(({ error }) => error === undefined);
    expect(accepted).toHaveLength(1);
    const { by } = serves.queries.getApproval(id) ?? {};
    expect(told.findIndex(({ error }) => error === undefined)).toBe(
      Number(String(by).slice("nats:a".length)),
    );
    for (const { code, body } of told.filter(({ error }) => error !== undefined))
      expect([code, at(body, "result"), at(body, "state")]).toEqual(["409", "ignored", stateOf(id)]);
  });

  test("G22: a query reports an input that was altered in the store as damaged, and no approval of it counts", async () => {
    const id = await ask(serves);
    const key = `actor/shop/s1/approval/${id}`;
    const row = serves.disk.rows.get(key) ?? "";
    const text = JSON.stringify(JSON.stringify(INPUT)).slice(1, -1);
    expect(row).toContain(text);
    serves.disk.rows.set(
      key,
      row.replace(
        text,
        text.replace(/[a-z]/, (letter) => (letter === "a" ? "b" : "a")),
      ),
    );
    const shown = await serves.query("approval.get", { id });
    expect(shown.body).toMatchObject({ inputHash: HASH, inputMissing: "damaged" });
    expect(shown.body).not.toHaveProperty("input");
    const refused = await serves.decide("shop.alice", approve(id));
    expect([refused.code, at(refused.body, "error", "code")]).toEqual(["409", "INPUT_MISSING"]);
    expect(stateOf(id)).toBe("pending");
    const denied = await serves.decide("shop.alice", deny(id));
    expect(denied.body).toMatchObject({ result: "accepted", state: "denied" });
  });

  test("I-08: an input changed by a person is kept with the approval, as it was sent", async () => {
    const id = await ask(serves);
    const updatedInput = { command: "make deploy --dry-run", 'a "key"': ["é", null] };
    const told = await serves.decide("shop.alice", { ...approve(id), updatedInput });
    expect(told.body).toMatchObject({ result: "accepted" });
    const [entry] = serves.disk.entries.slice(-1);
    const said = at(JSON.parse(entry?.body ?? ""), "said", "updatedInput", "text");
    expect(JSON.parse(String(said))).toEqual(updatedInput);
  });
});

describe("whose approvals", () => {
  test("G12, I-14: an approval of another workspace is unknown, like one that never existed", async () => {
    const id = await ask(serves);
    const [other, never] = [
      await serves.decide("bank.alice", deny(id)),
      await serves.decide("bank.alice", deny("a_never")),
    ];
    const plain = (body: unknown, name: string) => JSON.stringify(body).replaceAll(name, "ID");
    expect([other.code, plain(other.body, id)]).toEqual([never.code, plain(never.body, "a_never")]);
    expect(other.code).toBe("404");
    expect(stateOf(id)).toBe("pending");
    expect(letters().map(({ code }) => code)).toEqual(["UNKNOWN_APPROVAL", "UNKNOWN_APPROVAL"]);
  });

  test("SERVICES-DECIDE-2: the server controls who may decide under which name", async () => {
    const users = `authorization { users = [
      { user: engine, password: e }
      { user: alice, password: a, permissions: {
        publish: ["signalbox.v1.decide.shop.alice"], subscribe: ["_INBOX.>"] } } ] }`;
    const guarded = await configuredServer(users);
    const inside = await serving(guarded.url, { user: "engine", pass: "e" });
    const id = await ask(inside);
    const alice = await connect({ servers: guarded.url, user: "alice", pass: "a" });
    await expect(inside.request("signalbox.v1.decide.shop.bob", deny(id), {}, alice)).rejects.toMatchObject({
      code: expect.stringMatching(/PERMISSIONS|TIMEOUT/) as string,
    });
    expect(inside.queries.getApproval(id)?.state).toBe("pending");
    const told = await inside.request("signalbox.v1.decide.shop.alice", deny(id), {}, alice);
    expect(told.body).toMatchObject({ result: "accepted", state: "denied" });
    expect(inside.queries.getApproval(id)?.by).toBe("nats:alice");
    await alice.close();
    await inside.stop();
    await guarded.dispose();
  });
});

describe("DOOR-2: sent twice", () => {
  test("DOOR-2: repeated under one key, it is decided once and answered alike; the key with another body is refused", async () => {
    const id = await ask(serves);
    const key = { "Idempotency-Key": "k-1" };
    const first = await serves.decide("shop.alice", deny(id), key);
    const { position } = serves.engine.meta();
    const second = await serves.decide("shop.alice", deny(id), { "idempotency-key": "k-1" });
    expect(second.body).toEqual(first.body);
    expect(serves.engine.meta().position).toBe(position);
    const other = await serves.decide("shop.alice", approve(id), key);
    expect([other.code, at(other.body, "error", "code")]).toEqual(["422", "KEY_REUSED"]);
    const bob = await serves.decide("shop.bob", deny(id), key);
    expect(bob.body).toMatchObject({ result: "ignored" });
  });

  test("DOOR-2: an invalid key, and two keys, are refused", async () => {
    const id = await ask(serves);
    const told = await serves.decide("shop.alice", deny(id), { "Idempotency-Key": "x".repeat(257) });
    expect([told.code, at(told.body, "error", "code")]).toEqual(["400", "BAD_KEY"]);
    expect(stateOf(id)).toBe("pending");
  });
});

describe("SERVICES-DECIDE-1: nobody waits", () => {
  const say = async (subject: string, body: object, reply?: string): Promise<void> => {
    const bytes = new TextEncoder().encode(JSON.stringify(body));
    serves.client.publish(`signalbox.v1.decide.${subject}`, bytes, reply === undefined ? {} : { reply });
    await serves.client.flush();
  };

  test("SERVICES-DECIDE-1: a decision without a reply subject is applied; one that cannot be becomes a dead letter", async () => {
    const id = await ask(serves);
    await say("shop.alice", deny("a_nobody"));
    await say("shop.alice", deny(id));
    await expect.poll(() => stateOf(id)).toBe("denied");
    expect(letters()).toMatchObject([{ code: "UNKNOWN_APPROVAL", by: "nats:alice" }]);
  });

  test("SERVICES-REPLY-1: a reply subject that is no inbox is refused: the engine publishes nothing on another's behalf", async () => {
    const id = await ask(serves);
    const heard: string[] = [];
    const subscription = serves.client.subscribe(">", { callback: (_, { subject }) => heard.push(subject) });
    const replies = ["signalbox.v1.own.shop.s1.decision", "$JS.API.STREAM.PURGE.SIGNALBOX_IN", "a.*", ">"];
    for (const reply of replies) await say("shop.alice", deny(id), reply);
    await expect.poll(() => letters().length).toBe(replies.length);
    expect(letters().every(({ code }) => code === "BAD_REPLY")).toBe(true);
    expect(stateOf(id)).toBe("pending");
    await serves.query("stats");
    expect(heard.filter((subject) => replies.includes(subject))).toEqual([]);
    subscription.unsubscribe();
  });

  test.each([
    ["malformed headers", headOf("a b: c")],
    ["200 KiB of header names", manyNames(40_000)],
  ])("SERVICES-DECIDE-1: a decision with %s is refused, and becomes a dead letter", async (_, head) => {
    const id = await ask(serves);
    const decode = vi.spyOn(MsgHdrsImpl, "decode");
    const raw = await rawClient(server.port);
    await raw.send("signalbox.v1.decide.shop.alice", head, JSON.stringify(deny(id)));
    expect(await raw.until(/Nats-Service-Error-Code: \d+/)).toMatch(/400$/);
    expect(letters()).toMatchObject([{ code: "BAD_HEADERS", door: "nats:signalbox.v1.decide.shop.alice" }]);
    expect(stateOf(id)).toBe("pending");
    expect(decode.mock.calls.filter(([bytes]) => bytes.length === head.length)).toEqual([]);
    decode.mockRestore();
    raw.close();
  });

  test("SERVICES-DECIDE-1: an engine that is not ready says so to those who wait", async () => {
    const late = await serving(server.url, { start: false });
    await serves.served.stop();
    const told = await late.decide("shop.alice", deny("a_1"));
    expect([told.code, told.headers("Retry-After")]).toEqual(["503", "1"]);
    expect((await late.query("stats")).code).toBe("503");
    await late.engine.start();
    expect(listAt((await late.query("approval.list")).body, "items")).toEqual([]);
    await late.stop();
  });
});
