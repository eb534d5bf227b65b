// Blob bucket: large texts in an object store of a real server, and the blobs of engines that share it.

import { createHash } from "node:crypto";
import { connect, type NatsConnection } from "nats";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MemoryBlobs, MemoryDisk } from "../../../adapters/memory/index.ts";
import { SharedBlobs } from "../../../adapters/composition/cluster/shared-blobs.ts";
import { BlobBucket } from "../../../adapters/nats/blob-bucket.ts";
import { ManualClock } from "../../support/engine/manual-clock.ts";
import { type NatsServer, natsServer } from "../../support/nats/server.ts";
import { until } from "../../support/nats/on-nats.ts";

const STREAM = "OBJ_SIGNALBOX_BLOBS";
const DAY_MS = 86_400_000;
let server: NatsServer;
let connection: NatsConnection;
beforeAll(async () => {
  server = await natsServer();
  connection = await connect({ servers: server.url });
});
afterAll(async () => {
  await connection.close();
  await server.dispose();
});

const nameOf = (text: string): string => createHash("sha256").update(text).digest("hex");
const bucketAt = async (now: () => number = Date.now): Promise<BlobBucket> =>
  new BlobBucket(connection, await connection.jetstreamManager(), {}, now);

/** A folder in memory, shared by the bucket. */
async function engine(isShared = true) {
  const bucket = await bucketAt();
  const own = new MemoryBlobs(new MemoryDisk("d"), new ManualClock(Date.now()));
  const errors: unknown[] = [];
  const blobs = new SharedBlobs({
    own,
    bucket: () => bucket,
    isShared: () => isShared,
    onError: (error) => errors.push(error),
  });
  return { own, bucket, blobs, errors };
}

test("SHARED-BLOBS-4: an engine that shares its journal with none makes no bucket", async () => {
  const { blobs } = await engine(false);
  await blobs.put(nameOf("alone"), "alone");
  blobs.share();
  expect(await blobs.get(nameOf("alone"))).toBe("alone");
  const streams = await (await connection.jetstreamManager()).streams.list().next();
  expect(streams.map(({ config }) => config.name)).not.toContain(STREAM);
});

test("BLOB-BUCKET-1, BLOB-BUCKET-3: a text of 8 MiB comes back as it was, and is stored again only when it is a day old", async () => {
  const text = "\u{1F6A6} wait ".repeat(800_000);
  const name = nameOf(text);
  let now = Date.now();
  const bucket = await bucketAt(() => now);
  await bucket.put(name, text);
  expect((await bucket.get(name)) === text).toBe(true);
  const manager = await connection.jetstreamManager();
  const { state, config } = await manager.streams.info(STREAM);
  expect(config.max_age).toBe(400 * DAY_MS * 1e6);
  await bucket.put(name, text);
  expect((await manager.streams.info(STREAM)).state.last_seq).toBe(state.last_seq);
  now += 2 * DAY_MS;
  await bucket.put(name, text);
  expect((await manager.streams.info(STREAM)).state.last_seq).toBeGreaterThan(state.last_seq);
  expect((await bucket.get(name)) === text).toBe(true);
  expect(await bucket.get(nameOf("never put"))).toBeUndefined();
  await expect(bucket.put("../x", "x")).rejects.toMatchObject({ code: "BAD_BLOB_NAME" });
}, 60_000);

test("BLOB-BUCKET-2: what stands under a name that is not its own is not read", async () => {
  const store = await connection.jetstream().views.os("SIGNALBOX_BLOBS");
  const name = nameOf("the input that was asked about");
  await store.putBlob({ name }, Buffer.from("another input"));
  const { blobs } = await engine();
  expect(await blobs.get(name)).toBeUndefined();
});

test("SHARED-BLOBS-1, SHARED-BLOBS-2: what one engine has acknowledged another one reads, and keeps", async () => {
  const [one, other] = [await engine(), await engine()];
  const name = nameOf("large");
  await one.blobs.put(name, "large");
  expect([await other.own.get(name), await other.blobs.get(name)]).toEqual([undefined, "large"]);
  expect(await other.own.get(name)).toBe("large");
  expect(await one.blobs.old(Date.now() + DAY_MS)).toContain(name);
  await one.blobs.drop(name, 0);
  expect(await one.blobs.get(name)).toBe("large");
  for (const { blobs } of [one, other]) await blobs.drop(name, Date.now() + DAY_MS);
  expect([await one.blobs.get(name), await other.blobs.get(name)]).toEqual([undefined, undefined]);
});

test("SHARED-BLOBS-1: a blob that the bucket does not take is not acknowledged, and stays out of the folder", async () => {
  const own = new MemoryBlobs(new MemoryDisk("d"), new ManualClock(Date.now()));
  const bucket = {
    put: () => Promise.reject(new Error("no room")),
    get: () => Promise.resolve(undefined),
    old: () => Promise.resolve([]),
    drop: () => Promise.resolve(),
  };
  const blobs = new SharedBlobs({
    own,
    bucket: () => bucket,
    isShared: () => true,
    onError: () => undefined,
  });
  await expect(blobs.put(nameOf("x"), "x")).rejects.toMatchObject({ code: "BLOB_NOT_KEPT" });
  expect(await own.get(nameOf("x"))).toBeUndefined();
});

test("SHARED-BLOBS-3: what was there before the first spare is copied when a spare asks", async () => {
  const [one, other] = [await engine(), await engine()];
  const texts = ["before 1", "before 2"];
  for (const text of texts) await one.own.put(nameOf(text), text);
  expect(await other.blobs.get(nameOf("before 1"))).toBeUndefined();
  one.blobs.share();
  one.blobs.share();
  await until("they are copied", async () => (await other.blobs.get(nameOf("before 2"))) === "before 2");
  expect(await other.blobs.get(nameOf("before 1"))).toBe("before 1");
  expect([...one.errors, ...other.errors]).toEqual([]);
});
