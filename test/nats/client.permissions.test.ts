// Client, permissions
// What the server forbids a user is told at once, as what it is.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Client, type ClientOptions, connect } from "../../adapters/nats/client/index.ts";
import { codeOf } from "../support/refusal.ts";
import { natsServer, type NatsServer } from "../support/nats/server.ts";
import { addStream, bench, type Bench } from "../support/nats/streams.ts";

/** The sample of the documentation, on the store of the test. */
function sample(): string {
  const text = readFileSync(join(import.meta.dirname, "..", "..", "docs", "nats.md"), "utf8");
  const [, config = ""] = /^```text\n([^]*?)^```$/m.exec(text) ?? [];
  return config.replace(/^jetstream .*$/m, "");
}

const PASSWORDS = { ENGINE_PASSWORD: "e", BOT_PASSWORD: "b", READER_PASSWORD: "r", ALICE_PASSWORD: "a" };

let server: NatsServer;
let at: Bench;
const dir = mkdtempSync(join(tmpdir(), "signalbox-users-"));
const clients: Client[] = [];

beforeAll(async () => {
  const file = join(dir, "nats.conf");
  const config = Object.entries(PASSWORDS).reduce(
    (text, [name, password]) => text.replaceAll(`$${name}`, `"${password}"`),
    sample(),
  );
  writeFileSync(file, config);
  server = await natsServer(["-c", file]);
  at = await bench(server.url.replace("//", "//engine:e@"));
  await addStream(at, "SIGNALBOX_IN");
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await at.connection.close();
  await server.dispose();
  rmSync(dir, { recursive: true, force: true });
});

const WORDS = { "chat-bot": "b", reader: "r", alice: "a" } as const;

async function as(user: keyof typeof WORDS, more: Partial<ClientOptions> = {}): Promise<Client> {
  const options = { url: server.url, workspace: "chat", source: `/${user}`, inboxPrefix: `_INBOX_${user}` };
  const client = await connect({ ...options, user, password: WORDS[user], ...more });
  clients.push(client);
  return client;
}

async function first(client: Client, workspace: string): Promise<unknown> {
  for await (const item of client.changes({ from: "start", workspace })) return item;
  return "ended";
}

describe("client, permissions", () => {
  it("Client: a publisher of one workspace is refused in another, and for decisions and reading", async () => {
    const bot = await as("chat-bot");
    const stranger = await as("chat-bot", { workspace: "bank" });
    expect(await codeOf(bot.session("s1").publish("session.ended", {}))).toBe("taken");
    expect(await codeOf(stranger.session("s1").publish("session.ended", {}))).toBe("FORBIDDEN");
    expect(await codeOf(bot.decide("bot", { approvalId: "a1", decision: "deny" }))).toBe("FORBIDDEN");
    expect(await codeOf(first(bot, "chat"))).toBe("FORBIDDEN");
    expect(await codeOf(bot.query.stats())).toBe("FORBIDDEN");
  });

  it("Client: a reader of one workspace reads nothing of another", async () => {
    const reader = await as("reader");
    expect(await codeOf(first(reader, "bank"))).toBe("FORBIDDEN");
    expect(await codeOf(first(reader, "*"))).toBe("FORBIDDEN");
    expect(await codeOf(reader.session("s1").publish("session.ended", {}))).toBe("FORBIDDEN");
  });

  it("Client: an approver decides under no other name and in no other workspace", async () => {
    const alice = await as("alice", { deadlineMs: 300 });
    const said = { approvalId: "a1", decision: "approve", inputHash: "h" } as const;
    expect(await codeOf(alice.decide("alice", said))).toBe("NOBODY_THERE");
    expect(await codeOf(alice.decide("bob", said))).toBe("FORBIDDEN");
    const elsewhere = await as("alice", { workspace: "bank" });
    expect(await codeOf(elsewhere.decide("alice", said))).toBe("FORBIDDEN");
  });

  it("Client: a wrong password, and answers where the user may not listen, are told", async () => {
    expect(await codeOf(as("chat-bot", { password: "wrong" }))).toBe("NOT_AUTHORISED");
    const deaf = await as("chat-bot", { inboxPrefix: "_INBOX", deadlineMs: 3_000 });
    expect(await codeOf(deaf.session("s1").publish("session.ended", {}))).toBe("FORBIDDEN");
  });

  it("Client: the user and password may stand in the address", async () => {
    const url = server.url.replace("//", "//chat-bot:b@");
    const bot = await connect({ url, workspace: "chat", source: "/bot", inboxPrefix: "_INBOX_chat-bot" });
    clients.push(bot);
    expect(await codeOf(bot.session("s1").publish("session.ended", {}))).toBe("taken");
  });
});
