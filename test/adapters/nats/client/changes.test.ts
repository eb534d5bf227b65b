// Client, changes
// A subscriber hears each change once and in order, or is told that it may have missed some.

import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ChangeItem, ChangesOptions } from "../../../../adapters/nats/client/changes.ts";
import { type Client, connect } from "../../../../adapters/nats/client/client.ts";
import { keys } from "../../../../runtime/rows/keys.ts";
import { type Following, following } from "../../../support/nats/following.ts";
import { natsServer, type NatsServer } from "../../../support/nats/server.ts";
import { splitLog } from "../../../support/engine/rig.ts";

let server: NatsServer;
let client: Client;
let at: Following;

const open = () =>
  connect({ url: server.url, workspace: "shop", source: "/reader", nats: { reconnectTimeWait: 50 } });

beforeAll(async () => {
  server = await natsServer();
  client = await open();
});
afterAll(async () => {
  await client.close();
  await server.dispose();
});
beforeEach(async () => {
  at = await following(server.url);
});
afterEach(() => at.clear());

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

const upTo = (session: string, last: number, first = 1): readonly string[] =>
  Array.from({ length: last - first + 1 }, (_, n) => `${session}:${first + n}`);

describe("client, changes", () => {
  it("Client, FEED-3, G41: a subscriber that stores the cursor with its work and restarts anywhere sees each change once, in order", async () => {
    const saying = Promise.all(["s1", "s2", "s3"].map((session) => at.say(session, 200)));
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
    for (const session of ["s1", "s2", "s3"])
      expect(seen.filter((one) => one.startsWith(session))).toEqual(upTo(session, 200));
  });

  it("FEED-3: a change whose handling failed is yielded again, if the same feed is iterated again", async () => {
    await at.say("s1", 4);
    const feed = client.changes({ from: "start" });
    const handled: string[] = [];
    const handle = async (mayFail: boolean): Promise<void> => {
      for await (const item of feed) {
        if (mayFail && word(item) === "s1:2") throw new Error("The subscriber's store is away.");
        handled.push(word(item));
        if (handled.length === 4) break;
      }
    };
    await expect(handle(true)).rejects.toThrow("away");
    await handle(false);
    expect(handled).toEqual(upTo("s1", 4));
  });

  it("Client: a server killed and restarted while a subscriber reads costs it no change", async () => {
    await at.say("s1", 50);
    const seen: string[] = [];
    for await (const item of client.changes({ from: "start" })) {
      seen.push(word(item));
      if (seen.length === 20 || seen.length === 60) {
        await server.kill();
        await server.start();
        await at.say("s1", 40);
      }
      if (seen.length === 130) break;
    }
    expect(seen).toEqual(upTo("s1", 130));
  });

  it("Client: an engine that ends and comes back while a subscriber waits costs it no change", async () => {
    await at.say("s1", 3);
    const reading = words(8, { from: "start" });
    await sleep(300);
    await at.end();
    await at.begin();
    await at.say("s1", 5);
    expect(await reading).toEqual(upTo("s1", 8));
  });

  it("Client, FEED-2, FEED-6: a missing version is told before what stands behind it", async () => {
    await at.say("s1", 2);
    await at.say("s2", 1);
    await at.say("s1", 4);
    // The log's rows are s1:1, s1:2, s2:1, s1:3, …
    splitLog(at.disk);
    at.disk.rows.delete(keys.change(4));
    at.disk.rows.set(keys.change(5), "{ not JSON");
    const items = await take(7, { from: "start" });
    expect(items.map(word)).toEqual(["unreadable", "s1:1", "s1:2", "s2:1", "versions", "s1:5", "s1:6"]);
    expect(items[4]).toEqual({
      kind: "gap",
      reason: "versions",
      workspace: "shop",
      sessionId: "s1",
      after: 2,
      before: 5,
      cursor: items[3]?.cursor,
    });
  });

  it("Client, FEED-5: versions that a subscriber has kept are not given again", async () => {
    await at.say("s1", 3);
    await at.say("s2", 2);
    expect(await words(3, { from: "start", versions: [["shop/s1", 2]] })).toEqual(["s1:3", "s2:1", "s2:2"]);
    const versions = [
      ["shop/s1", 1],
      ["shop/s2", 3],
    ] as const;
    const ahead = take(3, { from: "start", versions });
    await at.say("s2", 2);
    expect((await ahead).map(word)).toEqual(["s1:2", "s1:3", "s2:4"]);
  });

  it("Client: a subscriber whose place was trimmed away is told so, and goes on from what is left", async () => {
    await at.say("s1", 5);
    const [, second] = await take(2, { from: "start" });
    await at.trim();
    await at.say("s1", 1);
    expect(await words(2, { from: second?.cursor ?? "" })).toEqual(["trimmed", "s1:6"]);
  });

  it("Client, FEED-1: a slow subscriber holds at most one page, and is told what was trimmed while it read", async () => {
    await at.say("s1", 150);
    const seen: string[] = [];
    for await (const item of client.changes({ from: "start" })) {
      if (seen.length === 0) await at.trim();
      seen.push(word(item));
      if (item.kind === "gap") break;
    }
    expect(seen).toEqual([...upTo("s1", 100), "trimmed"]);
  });

  it("Client: when another log replaces the one being read, the feed says so and reads the new one from its start", async () => {
    await at.say("s1", 3);
    const seen: string[] = [];
    for await (const item of client.changes({ from: "start" })) {
      seen.push(word(item));
      if (seen.length === 3) {
        await at.clear();
        at = await following(server.url);
        await at.say("s1", 30);
      }
      if (seen.length === 34) break;
    }
    expect(seen).toEqual([...upTo("s1", 3), "replaced", ...upTo("s1", 30)]);
  });

  it("Client: a cursor into the stream, as earlier clients kept it, counts as another log's", async () => {
    await at.say("s1", 2);
    const from = "12@2026-01-31T12:00:00.123456789Z";
    expect(await words(3, { from })).toEqual(["replaced", "s1:1", "s1:2"]);
  });

  it("Client: when a log has lost its end, the feed says so and does not give the remade changes twice", async () => {
    await at.say("s1", 5);
    const [fifth] = (await take(5, { from: "start" })).slice(-1);
    const ahead = (fifth?.cursor ?? "").replace(/-5$/, "-9");
    const reading = words(3, { from: ahead, versions: [["shop/s1", 6]] });
    await sleep(300);
    await at.say("s1", 3);
    expect(await reading).toEqual(["rolled-back", "s1:7", "s1:8"]);
  });

  it("Client: a filter by entity, state, id, session or workspace gives exactly the matching changes", async () => {
    await at.say("s1", 1);
    await at.request("s1", "r1");
    await at.say("s2", 1);
    await at.say("s9", 1, "bank");
    const all = async (options: ChangesOptions, count: number) => {
      const items = await take(count, { from: "start", ...options });
      return items.map((item) =>
        item.kind === "gap" ? item.reason : `${item.change.workspace}.${word(item)}`,
      );
    };
    expect(await all({}, 4)).toEqual(["shop.s1:1", "shop.s1:2", "shop.s1:3", "shop.s2:1"]);
    expect(await all({ session: "s2" }, 1)).toEqual(["shop.s2:1"]);
    expect(await all({ workspace: "bank" }, 1)).toEqual(["bank.s9:1"]);
    const starts = ["shop.s1:1", "shop.s2:1", "bank.s9:1"];
    expect(await all({ workspace: "*", entity: "session", state: "idle" }, 3)).toEqual(starts);
    expect(await all({ entity: "request" }, 1)).toEqual(["shop.s1:3"]);
    expect(await all({ id: "r1" }, 1)).toEqual(["shop.s1:3"]);
  });

  it("Client: a feed that begins now, before there is an engine, gives the first change", async () => {
    await at.end();
    const first = take(1, {});
    await sleep(200);
    await at.begin();
    await sleep(1_000);
    await at.say("s1", 1);
    expect((await first).map(word)).toEqual(["s1:1"]);
  });

  it("Client: a feed from an earlier moment's cursor misses nothing", async () => {
    await at.say("s1", 3);
    const from = await client.now();
    await at.say("s1", 3);
    expect(await words(3, { from })).toEqual(["s1:4", "s1:5", "s1:6"]);
  });

  it("Client: the cursor of a quiet feed moves on over changes of others", async () => {
    await at.say("s1", 10);
    await at.say("s2", 20);
    const stop = new AbortController();
    const feed = client.changes({ from: "start", session: "s1", signal: stop.signal });
    const reading = (async () => {
      let count = 0;
      for await (const _ of feed) count += 1;
      return count;
    })();
    while (!(feed.cursor ?? "").endsWith("-30")) await sleep(10);
    stop.abort();
    expect(await reading).toBe(10);
  });

  it("Client: a text that is no cursor is refused", () => {
    for (const from of ["", "12", "12@", "-1", "a b-1", "a-1e3", "-1@2026-01-01T00:00:00Z"])
      expect(() => client.changes({ from })).toThrow(expect.objectContaining({ code: "BAD_CURSOR" }));
  });

  it("Client: two subscribers each hear everything; closing a client ends its feeds", async () => {
    const other = await open();
    const endless = (async () => {
      const seen: string[] = [];
      for await (const item of other.changes({ from: "start" })) seen.push(word(item));
      return seen;
    })();
    const mine = words(20, { from: "start" });
    await at.say("s1", 20);
    expect(await mine).toEqual(upTo("s1", 20));
    await sleep(100);
    await other.close();
    expect(await endless).toEqual(upTo("s1", 20));
  });
});
