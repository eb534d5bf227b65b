// Reader
// How the journal's one consumer lives on the server: through a stream of messages, and once it is given up.

import { connect, type NatsConnection } from "nats";
import { afterEach, beforeEach, expect, test } from "vitest";
import { connectNats, type NatsLink } from "../../../adapters/nats/index.ts";
import { systemClock } from "../../../adapters/system/index.ts";
import { messageOf } from "../../support/nats/on-nats.ts";
import { type NatsServer, natsServer } from "../../support/nats/server.ts";
import { wedge } from "../../support/nats/wedge.ts";
import { clients } from "../../../adapters/composition/clients.ts";

const COUNT = 4_000;

let server: NatsServer;
let beside: NatsConnection;
let link: NatsLink;
beforeEach(async () => {
  server = await natsServer();
  beside = await connect({ servers: server.url });
  link = await linked(server.url);
  await link.journal.open(undefined);
});
afterEach(async () => {
  await link.close();
  await beside.close();
  await server.dispose();
});

const linked = (url: string): Promise<NatsLink> =>
  connectNats({ url, clients, sealKey: new Uint8Array(32), clock: systemClock(), onFatal: () => undefined });

async function consumers(): Promise<readonly string[]> {
  const manager = await beside.jetstreamManager();
  return (await manager.consumers.list("SIGNALBOX_IN").next()).map(({ name }) => name);
}

const append = (count: number): Promise<unknown> =>
  Promise.all(
    Array.from({ length: count }, (_, n) => link.journal.append([JSON.stringify(messageOf("s", `m${n}`))])),
  );

/** Reads on from a position. @returns the last position read. */
async function readTo(last: number, from = 0): Promise<number> {
  let position = from;
  while (position < last) {
    const entries = await link.journal.read(position, 256, new AbortController().signal);
    position = entries.at(-1)?.position ?? position;
  }
  return position;
}

test("NATS-READER-1: one consumer gives all that comes, however many messages and requests for more there are", async () => {
  await append(10);
  const first = await readTo(10);
  const before = await consumers();
  const appended = append(COUNT);
  expect(await readTo(COUNT + 10, first)).toBe(COUNT + 10);
  await appended;
  expect(before).toHaveLength(1);
  expect(await consumers()).toEqual(before);
});

test("NATS-JOURNAL-6: a server that tells of messages which nobody sent moves no tail", async () => {
  const liar = await wedge(server);
  const there = await linked(liar.url);
  await there.journal.open(undefined);
  liar.set("boastful");
  await append(3);
  const entries = await there.journal.read(0, 256, new AbortController().signal);
  expect(entries.at(-1)?.position).toBe(3);
  expect(there.journal.tail()).toBe(3);
  await there.close();
  await liar.close();
});

test("NATS-READER-3: a journal that is read from ever other places leaves no consumer behind", async () => {
  await append(40);
  for (let position = 0; position < 30; position += 1)
    await readTo(position + 1, position % 2 === 0 ? 0 : position);
  await expect.poll(consumers).toHaveLength(1);
  await link.journal.close();
  await expect.poll(consumers).toEqual([]);
});

test("NATS-READER-4: a consumer that sends heartbeats but none of the stream's messages is replaced", async () => {
  await append(10);
  await readTo(10);
  await expect.poll(consumers).toHaveLength(1);
  const [name = ""] = await consumers();
  const manager = await beside.jetstreamManager();
  const { config } = await manager.consumers.info("SIGNALBOX_IN", name);
  const nothing = "signalbox.v1.own.none.none.none";
  const asked = { stream_name: "SIGNALBOX_IN", config: { ...config, name, filter_subject: nothing } };
  const api = `$JS.API.CONSUMER.CREATE.SIGNALBOX_IN.${name}.${nothing}`;
  const answer = await beside.request(api, JSON.stringify(asked));
  expect(answer.json()).not.toHaveProperty("error");
  await append(5);
  expect(await readTo(15, 10)).toBe(15);
  await expect.poll(consumers).not.toContain(name);
});
