// Client, permissions
// Under the shipped accounts, the client does what its user may, and reports at once what the server forbids.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Client, connect } from "../../../../adapters/nats/client/client.ts";
import type { ConnectOptions } from "../../../../adapters/nats/client/options.ts";
import { fenced, type Fenced, type User } from "../../../support/nats/fence.ts";
import { codeOf } from "../../../support/engine/refusal.ts";

let fence: Fenced;
const clients: Client[] = [];

beforeAll(async () => {
  fence = await fenced();
  for (const workspace of ["chat", "bank"]) await fence.at.say("s1", 1, workspace);
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await fence.dispose();
});

async function as(user: User, more: Partial<ConnectOptions> = {}): Promise<Client> {
  const { url } = fence.server;
  const options = { url, workspace: "chat", source: `/${user}`, user, password: user, ...more };
  const client = await connect(options);
  clients.push(client);
  return client;
}

async function first(client: Client, workspace: string): Promise<unknown> {
  for await (const item of client.changes({ from: "start", workspace })) return item;
  return "ended";
}

describe("client, permissions", () => {
  it("G11: a gateway publishes, queries and follows in its workspace, and can do nothing elsewhere", async () => {
    const bot = await as("chat-bot");
    const from = await bot.now();
    const { position } = await bot.request("r1").publish("request.created", { prompt: "Hello?" });
    for await (const item of bot.changes({ from, entity: "request" })) {
      expect(item).toMatchObject({ change: { id: "r1", to: "created", turn: position } });
      break;
    }
    expect(await bot.query.requests.get("r1")).toMatchObject({ prompt: "Hello?" });
    expect(await codeOf(bot.decide("alice", { approvalId: "a1", decision: "deny" }))).toBe("FORBIDDEN");
    expect(await codeOf(bot.query.stats())).toBe("FORBIDDEN");
    expect(await codeOf(bot.query.sessions.get("s1", { workspace: "bank" }))).toBe("FORBIDDEN");
    const stranger = await as("chat-bot", { workspace: "bank" });
    expect(await codeOf(stranger.session("s1").publish("session.ended", {}))).toBe("FORBIDDEN");
    expect(await codeOf(stranger.now())).toBe("FORBIDDEN");
  });

  it("G11, G30: a reader of one workspace reads that one, and nothing of another", async () => {
    const reader = await as("reader");
    expect(await first(reader, "chat")).toMatchObject({ change: { workspace: "chat", version: 1 } });
    expect(await codeOf(first(reader, "bank"))).toBe("FORBIDDEN");
    expect(await codeOf(first(reader, "*"))).toBe("FORBIDDEN");
    expect(await codeOf(reader.query.sessions.list({ workspace: "*" }).page())).toBe("FORBIDDEN");
    const { items } = await reader.query.sessions.list().page();
    expect(items.map(({ workspace }) => workspace)).toEqual(["chat", "chat"]);
    expect(await codeOf(reader.session("s1").publish("session.ended", {}))).toBe("FORBIDDEN");
  });

  it("G11: an approver decides under no other name and in no other workspace", async () => {
    const alice = await as("alice");
    const said = { approvalId: "a1", decision: "approve", inputHash: "h" } as const;
    expect(await codeOf(alice.decide("alice", said))).toBe("UNKNOWN_APPROVAL");
    expect(await codeOf(alice.decide("bob", said))).toBe("FORBIDDEN");
    const elsewhere = await as("alice", { workspace: "bank" });
    expect(await codeOf(elsewhere.decide("alice", said))).toBe("FORBIDDEN");
  });

  it("Client: a wrong password is reported, and so is an inbox that the user may not read", async () => {
    expect(await codeOf(as("chat-bot", { password: "wrong" }))).toBe("NOT_AUTHORISED");
    const deaf = await as("chat-bot", { inboxPrefix: "_OTHER", deadlineMs: 3_000 });
    expect(await codeOf(deaf.session("s1").publish("session.ended", {}))).toBe("FORBIDDEN");
  });

  it("Client: the address may hold user and password", async () => {
    const bot = await connect({ url: fence.urlOf("chat-bot"), workspace: "chat", source: "/bot" });
    clients.push(bot);
    expect(await codeOf(bot.session("s1").publish("session.ended", {}))).toBe("taken");
  });
});
