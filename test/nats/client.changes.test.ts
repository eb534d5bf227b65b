// Client, changes
// A subscriber hears each change once and in order, or is told that it may have missed some.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  type ChangeItem,
  type ChangesOptions,
  type Client,
  connect,
} from "../../adapters/nats/client/index.ts";
import { natsServer, type NatsServer } from "../support/nats/server.ts";
import { addStream, bench, type Bench, say } from "../support/nats/streams.ts";

let server: NatsServer;
let at: Bench;
let client: Client;

const open = () =>
  connect({ url: server.url, workspace: "shop", source: "/reader", nats: { reconnectTimeWait: 50 } });

beforeAll(async () => {
  server = await natsServer();
  at = await bench(server.url);
  client = await open();
});
afterAll(async () => {
  await client.close();
  await at.connection.close();
  await server.dispose();
});
beforeEach(async () => {
  await at.manager.streams.delete("SIGNALBOX_STATE").catch(() => undefined);
});

/** The first `count` items of a feed. */
async function take(
  count: number,
  options: ChangesOptions,
  by: Client = client,
): Promise<readonly ChangeItem[]> {
  const items: ChangeItem[] = [];
  for await (const item of by.changes(options)) if (items.push(item) === count) break;
  return items;
}

/** An item in a word: `s1:2`, or why something may be missing. */
const word = (item: ChangeItem): string =>
  item.kind === "gap" ? item.reason : `${item.change.sessionId}:${item.change.version}`;

const words = async (...given: Parameters<typeof take>): Promise<readonly string[]> =>
  (await take(...given)).map(word);

async function sayAll(session: string, first: number, last: number): Promise<void> {
  for (let version = first; version <= last; version += 1) await say(at, session, version);
}

/** The kill of a server is no news to a connection that was told nothing since. */
async function back({ connection }: Bench): Promise<void> {
  while ((await connection.rtt().catch(() => undefined)) === undefined) await sleep(20);
}

describe("client, changes", () => {
  it("Client: a subscriber that keeps the cursor with its work and restarts anywhere sees each change once, in order", async () => {
    await addStream(at, "SIGNALBOX_STATE");
    const saying = Promise.all(["s1", "s2", "s3"].map((session) => sayAll(session, 1, 200)));
    const seen: string[] = [];
    let from = "start";
    while (seen.length < 600) {
      const reader = await open();
      let left = 37;
      for await (const item of reader.changes({ from })) {
        seen.push(word(item));
        from = item.cursor;
        left -= 1;
        if (left === 0 || seen.length === 600) break;
      }
      await reader.close();
    }
    await saying;
    for (const session of ["s1", "s2", "s3"]) {
      const expected = Array.from({ length: 200 }, (_, n) => `${session}:${n + 1}`);
      expect(seen.filter((one) => one.startsWith(session))).toEqual(expected);
    }
  });

  it("Client: a server killed and started again while a subscriber reads takes nothing from it", async () => {
    await addStream(at, "SIGNALBOX_STATE");
    await sayAll("s1", 1, 50);
    const seen: string[] = [];
    for await (const item of client.changes({ from: "start" })) {
      seen.push(word(item));
      if (seen.length === 20 || seen.length === 60) {
        await server.kill();
        await server.start();
        await back(at);
        await sayAll("s1", seen.length + 31, seen.length + 70);
      }
      if (seen.length === 130) break;
    }
    expect(seen).toEqual(Array.from({ length: 130 }, (_, n) => `s1:${n + 1}`));
  });

  it("Client: a missing version is told before what stands behind it, a repeated one is dropped", async () => {
    await addStream(at, "SIGNALBOX_STATE");
    await sayAll("s1", 1, 2);
    await at.jetstream.publish(
      "signalbox.v1.state.shop.s1.toolcall.c2.created",
      JSON.stringify({ entity: "toolcall", id: "c2", workspace: "shop", sessionId: "s1", version: 2 }),
    );
    await say(at, "s2", 1);
    await sayAll("s1", 5, 6);
    const items = await take(6, { from: "start" });
    expect(items.map(word)).toEqual(["s1:1", "s1:2", "s2:1", "versions", "s1:5", "s1:6"]);
    expect(items[3]).toEqual({
      kind: "gap",
      reason: "versions",
      workspace: "shop",
      sessionId: "s1",
      after: 2,
      before: 5,
      cursor: items[2]?.cursor,
    });
  });

  it("Client: the versions a subscriber has kept are not given again", async () => {
    await addStream(at, "SIGNALBOX_STATE");
    await sayAll("s1", 1, 3);
    await sayAll("s2", 1, 2);
    expect(await words(3, { from: "start", versions: [["shop/s1", 2]] })).toEqual(["s1:3", "s2:1", "s2:2"]);
    const ahead = take(2, {
      from: "start",
      versions: [
        ["shop/s1", 1],
        ["shop/s2", 4],
      ],
    });
    await say(at, "s2", 6);
    expect((await ahead).map(word)).toEqual(["s1:2", "s1:3"]);
    expect(await words(4, { from: "start", versions: [["shop/s2", 4]] })).toEqual([
      ...["s1:1", "s1:2", "s1:3"],
      "versions",
    ]);
  });

  it("Client: a subscriber whose place was trimmed away is told so, and goes on from what is left", async () => {
    await addStream(at, "SIGNALBOX_STATE");
    await sayAll("s1", 1, 5);
    const [, second] = await take(2, { from: "start" });
    await at.manager.streams.purge("SIGNALBOX_STATE", { seq: 5 });
    expect(await words(2, { from: second?.cursor ?? "" })).toEqual(["trimmed", "s1:5"]);
  });

  it("Client: a slow subscriber is told of what was trimmed while it read, and holds one batch at most", async () => {
    await addStream(at, "SIGNALBOX_STATE");
    await sayAll("s1", 1, 600);
    const seen: string[] = [];
    for await (const item of client.changes({ from: "start", entity: "toolcall" })) {
      seen.push(word(item));
      if (seen.length === 1) {
        await sleep(100);
        const [reader] = await at.manager.consumers.list("SIGNALBOX_STATE").next();
        expect(reader?.delivered.stream_seq).toBe(256);
        await at.manager.streams.purge("SIGNALBOX_STATE", { seq: 501 });
      }
      if (item.kind === "gap") break;
    }
    expect(seen).toEqual([...Array.from({ length: 256 }, (_, n) => `s1:${n + 1}`), "trimmed"]);
  });

  it("Client: a stream that is deleted and made again is told, and read from its start", async () => {
    await addStream(at, "SIGNALBOX_STATE");
    await sayAll("s1", 1, 3);
    const seen: string[] = [];
    for await (const item of client.changes({ from: "start" })) {
      seen.push(word(item));
      if (seen.length === 3) {
        await at.manager.streams.delete("SIGNALBOX_STATE");
        await addStream(at, "SIGNALBOX_STATE");
        await sayAll("s1", 1, 30);
      }
      if (seen.length === 34) break;
    }
    const again = Array.from({ length: 30 }, (_, n) => `s1:${n + 1}`);
    expect(seen).toEqual(["s1:1", "s1:2", "s1:3", "replaced", ...again]);
  });

  it("Client: a stream that lost its end is told; what is published again is not given twice", async () => {
    await addStream(at, "SIGNALBOX_STATE");
    await sayAll("s1", 1, 5);
    const copy = mkdtempSync(join(tmpdir(), "signalbox-copy-"));
    await server.kill();
    await server.saveStore(copy);
    await server.start();
    await back(at);
    const seen: string[] = [];
    await sayAll("s1", 6, 9);
    for await (const item of client.changes({ from: "start" })) {
      seen.push(word(item));
      if (seen.length === 9) {
        await server.kill();
        await server.restoreStore(copy);
        await server.start();
        await back(at);
      }
      if (item.kind === "gap") await sayAll("s1", 6, 11);
      if (seen.length === 12) break;
    }
    rmSync(copy, { recursive: true, force: true });
    const all = Array.from({ length: 9 }, (_, n) => `s1:${n + 1}`);
    expect(seen).toEqual([...all, "rolled-back", "s1:10", "s1:11"]);
  });

  it("Client: a feed gives what its filter names and nothing else, by entity, state, id, session and workspace", async () => {
    await addStream(at, "SIGNALBOX_STATE");
    await say(at, "s1", 1, { entity: "request", id: "r1", to: "created" });
    await say(at, "s1", 2, { entity: "approval", id: "a1", to: "pending" });
    await say(at, "s1", 3, { entity: "approval", id: "a2", to: "approved" });
    await say(at, "s2", 1, { entity: "approval", id: "a3", to: "pending" });
    await say(at, "s9", 1, { entity: "approval", id: "a4", to: "pending", workspace: "bank" });
    await say(at, "s2", 9, { entity: "session", id: "s2", to: "ended" });
    const all = (options: ChangesOptions, count: number) => words(count, { from: "start", ...options });
    expect(await all({ entity: "approval" }, 3)).toEqual(["s1:2", "s1:3", "s2:1"]);
    expect(await all({ entity: "approval", state: "pending" }, 2)).toEqual(["s1:2", "s2:1"]);
    expect(await all({ workspace: "*", state: "pending" }, 3)).toEqual(["s1:2", "s2:1", "s9:1"]);
    expect(await all({ id: "a2" }, 1)).toEqual(["s1:3"]);
    expect(await all({ session: "s2", entity: "session" }, 1)).toEqual(["s2:9"]);
    expect(await all({ workspace: "bank" }, 1)).toEqual(["s9:1"]);
  });

  it("Client: a feed that begins now, before there is a stream, gives the first change there is", async () => {
    const first = take(1, {});
    await sleep(200);
    await addStream(at, "SIGNALBOX_STATE");
    await sleep(1_000);
    await say(at, "s1", 1);
    expect((await first).map(word)).toEqual(["s1:1"]);
  });

  it("Client: from the cursor of a moment nothing is missed, though it is read from later", async () => {
    await addStream(at, "SIGNALBOX_STATE");
    await sayAll("s1", 1, 3);
    const from = await client.now();
    await sayAll("s1", 4, 6);
    expect(await words(3, { from })).toEqual(["s1:4", "s1:5", "s1:6"]);
  });

  it("Client: the cursor of a quiet feed moves on over the changes of others", async () => {
    await addStream(at, "SIGNALBOX_STATE");
    await sayAll("s1", 1, 256);
    await sayAll("s2", 1, 20);
    const stop = new AbortController();
    const feed = client.changes({ from: "start", session: "s1", signal: stop.signal });
    const reading = (async () => {
      let count = 0;
      for await (const _ of feed) count += 1;
      return count;
    })();
    while (!(feed.cursor ?? "").startsWith("276@")) await sleep(10);
    stop.abort();
    expect(await reading).toBe(256);
  });

  it("Client: a text that is no cursor is refused", () => {
    for (const from of ["", "12", "12@", "-1@2026-01-01T00:00:00Z", "1e3@2026-01-01T00:00:00.000Z"])
      expect(() => client.changes({ from })).toThrow(expect.objectContaining({ code: "BAD_CURSOR" }));
  });

  it("Client: two subscribers each hear everything; closing a client ends its feeds", async () => {
    await addStream(at, "SIGNALBOX_STATE");
    const other = await open();
    const endless = (async () => {
      const seen: string[] = [];
      for await (const item of other.changes({ from: "start" })) seen.push(word(item));
      return seen;
    })();
    const mine = words(20, { from: "start" });
    await sayAll("s1", 1, 20);
    const all = Array.from({ length: 20 }, (_, n) => `s1:${n + 1}`);
    expect(await mine).toEqual(all);
    await sleep(100);
    await other.close();
    expect(await endless).toEqual(all);
  });
});
