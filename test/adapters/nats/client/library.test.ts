// Library, on NATS
// createEngine with a NATS server: one process has the engine inside, the other knows only the server.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, type NatsConnection } from "nats";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createEngine, type SignalboxEngine } from "../../../../adapters/index.ts";
import { codeOf } from "../../../support/engine/refusal.ts";
import { type NatsServer, natsServer } from "../../../support/nats/server.ts";

let server: NatsServer;
let service: NatsConnection;
let dataDir: string;
let running: SignalboxEngine | undefined;

beforeEach(async () => {
  server = await natsServer();
  service = await connect({ servers: server.url });
  dataDir = await mkdtemp(join(tmpdir(), "signalbox-library-"));
});
afterEach(async () => {
  await running?.stop();
  running = undefined;
  await service.close();
  await server.dispose();
  await rm(dataDir, { recursive: true });
});

const start = async () => (running = await createEngine({ dataDir, nats: { url: server.url } }));

const created = (id: string) => ({
  specversion: "1.0",
  id,
  source: "/gateway",
  type: "request.created",
  subject: "shop/s1",
  data: { requestId: id },
});

/** Of a change: its session and the version it made. */
const ID = /^shop\/s1:[1-9]\d*$/;

test("Library: a message published with the nats package alone leads to a change on its subject, once it can be queried", async () => {
  const engine = await start();
  const heard = service.subscribe("signalbox.v1.state.shop.s1.request.>", { max: 2 });
  const { seq } = await service
    .jetstream()
    .publish("signalbox.v1.in.shop.s1.request.created", JSON.stringify(created("r1")));
  const told: unknown[] = [];
  for await (const message of heard) {
    const change = message.json<{ entity: string; id: string; to: string; turn: number }>();
    told.push([message.subject, message.headers?.get("Nats-Msg-Id"), change.to, change.turn]);
    expect(engine.queries.getRequest(change.id)).toMatchObject({ state: "created" });
    // The second one comes in by the library itself.
    if (change.id === "r1") await engine.send(created("r2"));
  }
  expect(told).toEqual([
    ["signalbox.v1.state.shop.s1.request.r1.created", expect.stringMatching(ID), "created", seq],
    ["signalbox.v1.state.shop.s1.request.r2.created", expect.stringMatching(ID), "created", seq + 1],
  ]);
});

test("Library: the next engine on the folder goes on where the first stopped, with what was published meanwhile", async () => {
  await (await start()).stop();
  await service.jetstream().publish("signalbox.v1.in.shop.s1.request.created", JSON.stringify(created("r1")));
  const again = await start();
  expect(again.queries.getRequest("r1")).toMatchObject({ state: "created" });
  expect(await again.send(created("r1"))).toMatchObject({ taken: [{ reply: { outcome: "duplicate" } }] });
  await running?.stop();
  running = undefined;
  expect(await codeOf(createEngine({ dataDir }))).toBe("JOURNAL_DIFFERS");
});

test("Library: a server that is away is reported at once, and the folder is free for the next start", async () => {
  await server.kill();
  expect(await codeOf(createEngine({ dataDir, nats: { url: server.url } }))).toBe("NATS_UNAVAILABLE");
  await server.start();
  const engine = await start();
  expect(await engine.send(created("r1"))).toMatchObject({ taken: [{ reply: { outcome: "applied" } }] });
});

test("Library: without a folder there is no key to seal with, so it is refused", async () => {
  await expect(createEngine({ nats: { url: server.url } })).rejects.toThrow(/dataDir/);
});
