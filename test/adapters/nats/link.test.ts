// The connection and its streams, on a real server.

import { connect, nanos, RetentionPolicy, StorageType } from "nats";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ManualClock } from "../../support/engine/manual-clock.ts";
import { systemClock } from "../../../adapters/system/index.ts";
import { connectNats, type NatsOptions } from "../../../adapters/nats/index.ts";
import { messageOf, until } from "../../support/nats/on-nats.ts";
import { configuredServer } from "../../support/nats/configured.ts";
import { type NatsServer, natsServer } from "../../support/nats/server.ts";
import { clients } from "../../../adapters/composition/clients.ts";

let server: NatsServer;

beforeEach(async () => {
  server = await natsServer();
});
afterEach(() => server.dispose());

const sealKey = new Uint8Array(32).fill(7);
const link = (other: Partial<NatsOptions> = {}) =>
  connectNats({
    url: server.url,
    clients,
    sealKey,
    clock: new ManualClock(0),
    onFatal: (error) => {
      throw error;
    },
    ...other,
  });

/** Another client of the same server, as an operator has one. */
async function operator() {
  const connection = await connect({ servers: server.url });
  return { connection, manager: await connection.jetstreamManager() };
}

test("STREAMS-1: the streams are created with their settings, and later found unchanged", async () => {
  await (await link()).close();
  const { url } = server;
  const again = await link();
  expect(again.server.url).toBe(url.replace("nats://", ""));
  expect(again.server.version).toMatch(/^2\./);
  const { connection, manager } = await operator();
  const streams = await manager.streams.list().next();
  expect(streams.map(({ config }) => [config.name, config.subjects, config.discard]).sort()).toEqual([
    ["SIGNALBOX_DLQ", ["signalbox.v1.dlq.>"], "old"],
    ["SIGNALBOX_IN", ["signalbox.v1.in.>", "signalbox.v1.own.>"], "new"],
    ["SIGNALBOX_STATE", ["signalbox.v1.state.>"], "old"],
  ]);
  for (const { config } of streams) {
    expect(config.max_bytes).toBeGreaterThan(0);
    const windowMs = config.name === "SIGNALBOX_IN" ? 120_000 : 600_000;
    expect([config.name, config.duplicate_window]).toEqual([config.name, nanos(windowMs)]);
    expect(config.allow_rollup_hdrs).not.toBe(true);
    expect([config.storage, config.retention]).toEqual(["file", "limits"]);
  }
  await connection.close();
  await again.close();
});

test("STREAMS-1: a setting that differs is corrected, and the stream's messages stay", async () => {
  await (await link()).close();
  const { connection, manager } = await operator();
  await manager.streams.update("SIGNALBOX_IN", { max_bytes: 1_000_000, subjects: ["signalbox.v1.in.>"] });
  await connection.jetstream().publish("signalbox.v1.in.w.s.tool.started", "x");
  await (await link({ limits: { journalBytes: 50_000_000 } })).close();
  const { config, state } = await manager.streams.info("SIGNALBOX_IN");
  expect(config).toMatchObject({
    max_bytes: 50_000_000,
    subjects: ["signalbox.v1.in.>", "signalbox.v1.own.>"],
  });
  expect(state.messages).toBe(1);
  await connection.close();
});

test("STREAMS-2: a journal that was given more room keeps it at a start: a smaller one would drop unread messages", async () => {
  const limits = { journalBytes: 200_000 };
  await (await link({ limits })).close();
  const { connection, manager } = await operator();
  const { config } = await manager.streams.info("SIGNALBOX_IN");
  await manager.streams.update("SIGNALBOX_IN", { ...config, max_bytes: 2_000_000 });
  const stream = connection.jetstream();
  for (let n = 0; n < 50; n += 1)
    await stream.publish("signalbox.v1.in.w.s.tool.started", "x".repeat(10_000));
  await (await link({ limits })).close();
  const given = await manager.streams.info("SIGNALBOX_IN");
  expect([given.state.first_seq, given.state.messages]).toEqual([1, 50]);
  expect(given.config.max_bytes).toBe(2_000_000);
  // A stream without any bound has no size to keep it below.
  await manager.streams.update("SIGNALBOX_IN", { ...config, max_bytes: -1 });
  await (await link({ limits })).close();
  const bounded = await manager.streams.info("SIGNALBOX_IN");
  expect([bounded.state.first_seq, bounded.state.messages]).toEqual([1, 50]);
  expect(bounded.config.max_bytes).toBeGreaterThanOrEqual(500_000);
  await connection.close();
});

test("STREAMS-1: a stream with a setting that can never change is refused, named and left untouched", async () => {
  const { connection, manager } = await operator();
  await manager.streams.add({ name: "SIGNALBOX_STATE", subjects: ["mine.>"], storage: StorageType.Memory });
  await expect(link()).rejects.toMatchObject({
    code: "STREAM_DIFFERS",
    message: expect.stringMatching(/SIGNALBOX_STATE.*storage/) as string,
  });
  const { config } = await manager.streams.info("SIGNALBOX_STATE");
  expect(config.subjects).toEqual(["mine.>"]);
  await manager.streams.delete("SIGNALBOX_STATE");
  await manager.streams.add({
    name: "SIGNALBOX_DLQ",
    subjects: ["theirs.>"],
    retention: RetentionPolicy.Workqueue,
  });
  await expect(link()).rejects.toMatchObject({ code: "STREAM_DIFFERS" });
  await connection.close();
});

test("STREAMS-1: settings that the server does not grant are refused with the server's reason", async () => {
  await expect(link({ limits: { journalBytes: 2 ** 52 } })).rejects.toMatchObject({
    code: "STREAM_REFUSED",
    message: expect.stringMatching(/SIGNALBOX_IN.*(storage|resources)/) as string,
  });
});

test("CONNECT-1: a server that is away is worth another try, an unsuitable one is not", async () => {
  await server.kill();
  await expect(link()).rejects.toMatchObject({ code: "NATS_UNAVAILABLE", obligation: "retry" });
  await expect(link({ url: "http://127.0.0.1:1" })).rejects.toMatchObject({ code: "BAD_NATS_URL" });
  await expect(link({ url: "nats://engine:50%off@127.0.0.1:1" })).rejects.toMatchObject({
    code: "BAD_NATS_URL",
    next: expect.stringContaining("%25") as string,
  });
  await expect(link({ url: "nats://" })).rejects.toMatchObject({ code: "BAD_NATS_URL" });
});

test("CONNECT-1: an address may hold users, passwords and tokens", async () => {
  const withUser = await natsServer(["--user", "ann", "--pass", "p@ss w:rd"]);
  const withToken = await natsServer(["--auth", "t0ken"]);
  try {
    const at = (who: string, { port }: NatsServer) => `nats://${who}127.0.0.1:${port}`;
    await (await link({ url: at(`ann:${encodeURIComponent("p@ss w:rd")}@`, withUser) })).close();
    await (await link({ url: at("t0ken@", withToken) })).close();
    for (const url of [at("", withUser), at("ann:wrong@", withUser), at("wrong@", withToken)])
      await expect(link({ url })).rejects.toMatchObject({ code: "NATS_NOT_AUTHORISED" });
  } finally {
    await withUser.dispose();
    await withToken.dispose();
  }
});

test("CONNECT-1: a connection whose password is revoked says so", async () => {
  const user = (password: string) => `authorization { users = [{ user: ann, password: ${password} }] }`;
  const changing = await configuredServer(user("one"));
  try {
    const { closed } = await link({ url: `nats://ann:one@127.0.0.1:${changing.port}` });
    await changing.configure(user("two"));
    expect(await closed).toMatchObject({ code: "NATS_NOT_AUTHORISED", obligation: "give-up" });
  } finally {
    await changing.dispose();
  }
});

/** Configurations of users and accounts, and whether the engine shares the default account in each. */
const FENCES = [
  ["nothing", "", true],
  ["a token", "authorization { token: t0ken }", true],
  [
    "users with permissions",
    "authorization { users = [{ user: eng, password: p }, { user: bot, password: p, permissions: { publish: a } }] }",
    true,
  ],
  [
    "accounts",
    "accounts { SIGNALBOX { jetstream: enabled\n users = [{ user: eng, password: p }] }\n BOT { users = [{ user: bot, password: p }] }\n }",
    false,
  ],
  [
    "a user who may not ask",
    'authorization { users = [{ user: eng, password: p, permissions: { publish: { deny: "$SYS.>" } } }] }',
    undefined,
  ],
] as const;

test.each(FENCES)("FENCE-1: %s is recognised", async (_, lines, expected) => {
  const fenced = await configuredServer(lines);
  const who = lines.includes("token") ? "t0ken@" : lines === "" ? "" : "eng:p@";
  const connected = await link({ url: fenced.url.replace("//", `//${who}`) });
  expect(await connected.isUnfenced()).toBe(expected);
  await connected.close();
  await fenced.dispose();
});

test("NATS-JOURNAL-4: after a lost connection the journal is not read before a new consumer gave something, though the server answers", async () => {
  const linked = await link({ clock: systemClock() });
  const { journal, connection } = linked;
  const controller = new AbortController();
  const { signal } = controller;
  const { position } = await journal.open(undefined);
  const reading = journal.read(position, 1, signal);
  expect(journal.isRead).toBe(true);
  await journal.append([JSON.stringify(messageOf("s", "m1"))]);
  const [entry] = await reading;
  await server.kill();
  await until("the loss is known", () => !journal.isRead);
  await server.start();
  const other = await operator();
  await until("it answers", () =>
    connection.rtt().then(
      () => true,
      () => false,
    ),
  );
  expect((await other.manager.streams.info("SIGNALBOX_IN")).state.messages).toBe(1);
  await other.connection.close();
  expect(journal.isRead).toBe(false);
  const next = journal.read(entry?.position ?? 0, 1, signal);
  await until("it is read again", () => journal.isRead);
  await journal.append([JSON.stringify(messageOf("s", "m2"))]);
  expect(await next).toHaveLength(1);
  controller.abort();
  await linked.close();
});
