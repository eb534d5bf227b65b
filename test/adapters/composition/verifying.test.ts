// Verifying on NATS
// A folder whose journal is on a server others use, too: replayed, compared, and left as it was.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, type JetStreamManager, type NatsConnection } from "nats";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { dataFolder } from "../../../adapters/data-folder/index.ts";
import { createEngine } from "../../../adapters/index.ts";
import { openLmdb } from "../../../adapters/lmdb/index.ts";
import { ManualClock } from "../../support/engine/manual-clock.ts";
import { verifyFolder } from "../../../adapters/composition/verifying.ts";
import type { Write } from "../../../runtime/ports.ts";
import { type NatsServer, natsServer } from "../../support/nats/server.ts";

const STREAM = "SIGNALBOX_IN";
let server: NatsServer;
let service: NatsConnection;
let manager: JetStreamManager;
let root: string;
let dataDir: string;

beforeEach(async () => {
  server = await natsServer();
  service = await connect({ servers: server.url });
  manager = await service.jetstreamManager();
  root = await mkdtemp(join(tmpdir(), "signalbox-verifying-"));
  dataDir = join(root, "data");
});
afterEach(async () => {
  await service.close();
  await server.dispose();
  await rm(root, { recursive: true });
});

const event = (type: string, id: string, session: string, data: object) => ({
  specversion: "1.0",
  id,
  source: "/gateway",
  type,
  subject: `shop/${session}`,
  data,
});

/** An engine takes in what a service publishes and what it is sent itself, and stops. */
async function lived(session = "s1"): Promise<void> {
  const engine = await createEngine({ dataDir, nats: { url: server.url } });
  await engine.send(event("request.created", `${session}-1`, session, { requestId: `${session}-r1` }));
  const asked = { approvalId: `${session}-a1`, tool: "Bash", input: { command: "ls" } };
  await service
    .jetstream()
    .publish(
      `signalbox.v1.in.shop.${session}.approval.requested`,
      JSON.stringify(event("approval.requested", `${session}-2`, session, asked)),
    );
  await engine.send(event("request.created", `${session}-3`, session, { requestId: `${session}-r2` }));
  await engine.send(event("request.completed", `${session}-4`, session, { requestId: `${session}-r2` }));
  await engine.stop();
}

const verified = (url: string | undefined = server.url) => verifyFolder(dataFolder(dataDir, {}), {}, { url });

/** Changes a row behind everybody's back. @returns its key. */
async function change(prefix: string, how: (key: string, value: string) => Write): Promise<string> {
  const { store, close } = openLmdb(join(dataDir, "store"), new ManualClock());
  await store.open();
  const [[key, value] = ["", ""]] = store.range({ gte: prefix, lt: `${prefix}~`, limit: 1 });
  await store.commit([how(key, value)]);
  await close();
  return key;
}

const streamNow = async () => {
  const { config, state } = await manager.streams.info(STREAM);
  return { config, state };
};

describe("verifying a folder whose journal is on a NATS server", () => {
  test("KEPT-JOURNAL-1, VERIFYING-1, G57: what was not touched does not differ, and the stream is as before", async () => {
    await lived();
    const before = await streamNow();
    const found = await verified();
    expect(found).toMatchObject({ first: 1, earlier: 0, behind: 0, missing: [], differences: [] });
    expect(found.last).toBe(before.state.last_seq);
    expect(found.compared).toBeGreaterThan(3);
    expect(found.rows.compared).toBeGreaterThan(10);
    expect(found.rows.differences).toEqual([]);
    expect(await streamNow()).toEqual(before);
    // The engine goes on with its folder.
    await lived("s2");
    expect(await verified()).toMatchObject({ differences: [], rows: { differences: [] } });
  });

  test("G57: a row that was altered is named, one that was emptied, and one that was removed", async () => {
    await lived();
    const altered = await change("actor/shop/s1/approval/", (put, value) => ({
      put,
      value: value.replace("pending", "approved"),
    }));
    const emptied = await change("actor/shop/s1/request/", (put) => ({ put, value: "" }));
    const removed = await change("asked/shop/s1/", (del) => ({ del }));
    const { differences } = (await verified()).rows;
    const whats = new Map(differences.map(({ key, what }) => [key, what]));
    expect(whats.get(altered)).toBe("altered");
    expect(whats.get(emptied)).toBe("unreadable");
    expect(whats.get(removed)).toBe("missing");
  });

  test("VERIFYING-2, VERIFY-2, VERIFY-4: of a trimmed journal the rest is compared, and what was earlier is counted; a hole is named", async () => {
    await lived();
    await lived("s2");
    const { state } = await streamNow();
    await manager.streams.purge(STREAM, { seq: 4 });
    const hole = state.last_seq - 2;
    await manager.streams.deleteMessage(STREAM, hole);
    const found = await verified();
    expect(found.first).toBe(4);
    expect(found.earlier).toBeGreaterThan(0);
    expect(found.missing).toEqual([{ first: hole, last: hole, wasApplied: true }]);
    expect(found.differences).toEqual([]);
    expect(found.rows.differences).toEqual([]);
    expect(found.rows.unchecked.length).toBeGreaterThan(0);
  });

  test("KEPT-JOURNAL-2: another journal than the store has read, a server that is away, and one that nobody names are told in a sentence", async () => {
    await lived();
    const nothing = expect.stringContaining("nothing was compared, neither entries nor rows") as string;
    await expect(verifyFolder(dataFolder(dataDir, {}), {}, {})).rejects.toMatchObject({
      code: "JOURNAL_UNREAD",
      message: nothing,
      next: expect.stringContaining("SIGNALBOX_NATS_NKEY") as string,
    });
    await manager.streams.delete(STREAM);
    const gone = { code: "JOURNAL_UNREAD", message: nothing };
    await expect(verified()).rejects.toMatchObject(gone);
    // Not made by looking for it.
    await expect(manager.streams.info(STREAM)).rejects.toThrow(/not found/);
    await manager.streams.add({ name: STREAM, subjects: ["signalbox.v1.in.>", "signalbox.v1.own.>"] });
    await expect(verified()).rejects.toMatchObject(gone);
    await server.kill();
    await expect(verified()).rejects.toMatchObject(gone);
    await server.start();
  });
});
