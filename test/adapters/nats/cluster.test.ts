// Cluster: streams in several copies, on three real servers.

import { connect, type NatsConnection } from "nats";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createHash } from "node:crypto";
import { clients } from "../../../adapters/composition/clients.ts";
import { BlobBucket } from "../../../adapters/nats/blob-bucket.ts";
import { copiesRefused } from "../../../adapters/nats/copies.ts";
import { connectNats } from "../../../adapters/nats/index.ts";
import { ensureStreams, STREAMS } from "../../../adapters/nats/streams.ts";
import { systemClock } from "../../../adapters/system/index.ts";
import { type NatsCluster, natsCluster } from "../../support/nats/cluster.ts";

let cluster: NatsCluster;
let connection: NatsConnection;
beforeAll(async () => {
  cluster = await natsCluster();
  connection = await connect({ servers: cluster.url.split(",") });
}, 60_000);
afterAll(async () => {
  await connection.close();
  await cluster.dispose();
});

const copiesOf = async (name: string): Promise<number> =>
  (await (await connection.jetstreamManager()).streams.info(name)).config.num_replicas;

test("STREAMS-3: three copies are made where they are asked for, and stay where nothing is asked", async () => {
  const manager = await connection.jetstreamManager();
  expect(await ensureStreams(manager, { replicas: 3 })).toBe(3);
  expect(await ensureStreams(manager, {})).toBe(3);
  for (const name of [STREAMS.journal, STREAMS.changes, STREAMS.deadLetters])
    expect(await copiesOf(name)).toBe(3);
}, 60_000);

test("STREAMS-4: too few servers for the copies is a reason to wait, as while a cluster starts", async () => {
  const manager = await connection.jetstreamManager();
  await manager.streams.delete(STREAMS.changes);
  await expect(ensureStreams(manager, { replicas: 5 })).rejects.toMatchObject({
    code: "NATS_UNAVAILABLE",
    obligation: "retry",
  });
  expect(await ensureStreams(manager, { replicas: 3 })).toBe(3);
}, 60_000);

test("COPIES-1: an older server is refused where its streams have copies already, though none are asked for", async () => {
  const isOld = copiesRefused(connection.info?.version ?? "", 3) !== undefined;
  const linked = connectNats({
    url: cluster.url,
    clients,
    sealKey: new Uint8Array(32),
    clock: systemClock(),
    onFatal: () => undefined,
  });
  if (isOld) await expect(linked).rejects.toMatchObject({ code: "NATS_TOO_OLD" });
  else await (await linked).close();
}, 60_000);

test("BLOB-BUCKET-1: a bucket has as many copies as were asked for, and a text is there after a server is gone", async () => {
  const bucket = new BlobBucket(connection, await connection.jetstreamManager(), { replicas: 3 }, Date.now);
  const text = "x".repeat(1_000_000);
  const name = createHash("sha256").update(text).digest("hex");
  await bucket.put(name, text);
  expect(await copiesOf(STREAMS.blobs)).toBe(3);
  const [, , lost] = cluster.servers;
  await lost?.kill();
  await expect.poll(() => bucket.get(name).catch(() => undefined), { timeout: 50_000 }).toBe(text);
}, 60_000);
