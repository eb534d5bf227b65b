// Strange seals
// Which entries another key has sealed, and an end of the search where somebody takes messages out of the stream.

import { connect, headers, type JetStreamManager, type NatsConnection } from "nats";
import { afterEach, beforeEach, expect, test } from "vitest";
import { strangeSeals } from "../../../adapters/nats/strange-seals.ts";
import { STREAMS } from "../../../adapters/nats/streams.ts";
import { subjects } from "../../../runtime/rows/subjects.ts";
import { systemClock } from "../../../adapters/system/index.ts";
import { type NatsServer, natsServer } from "../../support/nats/server.ts";

const KEY = new Uint8Array(32);

let server: NatsServer;
let connection: NatsConnection;
beforeEach(async () => {
  server = await natsServer();
  connection = await connect({ servers: server.url });
});
afterEach(async () => {
  await connection.close();
  await server.dispose();
});

/** A manager that does something else once the consumer is there, before anything is read. */
function between(manager: JetStreamManager, act: () => Promise<unknown>): JetStreamManager {
  const { consumers } = manager;
  const add: typeof consumers.add = async (...given) => {
    const made = await consumers.add(...given);
    await act();
    return made;
  };
  return { consumers: { add, info: consumers.info.bind(consumers) } } as JetStreamManager;
}

test.each([
  ["all", {}],
  ["those at the end", { seq: 2 }],
])("STRANGE-SEALS-2: it ends where messages are removed while it reads: %s", async (_, kept) => {
  const manager = await connection.jetstreamManager();
  await manager.streams.add({ name: STREAMS.journal, subjects: ["signalbox.v1.in.>"] });
  for (const id of ["a", "b", "c"]) await connection.jetstream().publish(`signalbox.v1.in.w.s.${id}`, "{}");
  const removing = between(manager, async () => {
    if ("seq" in kept) for (const seq of [2, 3]) await manager.streams.deleteMessage(STREAMS.journal, seq);
    else await manager.streams.purge(STREAMS.journal);
  });
  const stream = { connection, manager: removing, clock: systemClock() };
  expect(await strangeSeals(stream, KEY, { after: 0, upTo: 3 })).toEqual([]);
});

test.each([
  ["and one on the engine's own subject shows that the key was another", true, [{ first: 1, last: 2 }]],
  ["and none of them shows anything where services alone have published them", false, []],
])("STRANGE-SEALS-1: it names what bears a strange seal, %s", async (_, isOwn, found) => {
  const manager = await connection.jetstreamManager();
  await manager.streams.add({ name: STREAMS.journal, subjects: ["signalbox.v1.in.>", "signalbox.v1.own.>"] });
  const sealed = headers();
  sealed.set("Signalbox-Seal", `v1:${"0".repeat(64)}`);
  const service = "signalbox.v1.in.w.s.request.created";
  const own = isOwn ? subjects.own("w", "s", "decision") : service;
  for (const subject of [service, own])
    await connection.jetstream().publish(subject, "{}", { headers: sealed });
  await connection.jetstream().publish(service, "{}");
  const stream = { connection, manager, clock: systemClock() };
  expect(await strangeSeals(stream, KEY, { after: 0, upTo: 3 })).toEqual(found);
});
