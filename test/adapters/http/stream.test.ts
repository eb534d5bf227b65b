// HTTP: stream
// Changes as they become durable: in order, none twice, none missing, from any place.

import { connect } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { MemoryDisk } from "../../../adapters/memory/index.ts";
import type { Access } from "../../../runtime/access-token.ts";
import { keys } from "../../../runtime/rows/keys.ts";
import { follow, type Following, type Told } from "../../support/http/follow.ts";
import { at } from "../../support/engine/json.ts";
import { event, rawRequest, serve, type Served, TOKEN } from "../../support/http/served.ts";
import { changesIn, splitLog } from "../../support/engine/rig.ts";

const VOUCHING: Access = { parts: new Set(["view"]), vouches: true };
const AUTH = { Authorization: `Bearer ${TOKEN}` };
let served: Served;
let open: Following[];
beforeEach(async () => {
  served = await serve();
  open = [];
});
afterEach(async () => {
  for (const each of open) await each.cancel();
  await served.stop();
});

async function listen(query = "", headers: Record<string, string> = {}): Promise<Following> {
  const following = await follow(`${served.url}/v1/stream${query}`, { ...AUTH, ...headers });
  open.push(following);
  return following;
}

/** This many requests, each with three changes: created, queued, processing. */
const work = (from: number, count: number, subject = "shop/s1") =>
  served.post(
    "/v1/events",
    Array.from({ length: count }, (_, n) => [
      event("request.created", { requestId: `r${from + n}` }, { subject }),
      event("request.queued", { requestId: `r${from + n}` }, { subject }),
      event("request.processing", { requestId: `r${from + n}` }, { subject }),
    ]).flat(),
  );

/** The change log, as the store has it. */
const log = (): readonly unknown[] =>
  changesIn(served.engine.store.range({ gte: keys.changes, lt: "change0" }));

const changeOf = ({ data = "null" }: Told): unknown => JSON.parse(data);

describe("FOLLOWERS-1: the stream of changes", () => {
  it("FOLLOWERS-1: shows every change after the moment it began, with its number as id", async () => {
    await work(0, 2);
    const stream = await listen();
    const newest = log().length;
    const [ready] = await stream.take(1);
    expect(ready).toMatchObject({ event: "ready", id: `journal-1-${newest}` });
    await work(2, 3);
    const told = await stream.take(log().length - newest);
    expect(told.map(changeOf)).toEqual(log().slice(newest));
    expect(told.map(({ id }) => id)).toEqual(
      log()
        .slice(newest)
        .map((change) => `journal-1-${String(at(change, "n"))}`),
    );
    expect(new Set(told.map((each) => each.event))).toEqual(new Set(["change"]));
  });

  it("FOLLOWERS-2, G41: a reader that comes back goes on where it was, even after the engine restarted", async () => {
    await work(0, 40);
    const seen: unknown[] = [];
    let last = "journal-1-0";
    for (const count of [1, 7, 30]) {
      const stream = await listen("", { "Last-Event-ID": last });
      const [ready, ...told] = await stream.take(1 + count);
      expect(ready?.event).toBe("ready");
      seen.push(...told.map(changeOf));
      last = told.at(-1)?.id ?? last;
      await stream.cancel();
    }
    const { disk, clock } = served;
    await served.stop();
    served = await serve({ disk, clock });
    const stream = await listen(`?after=${last}`);
    const rest = await stream.take(1 + log().length - seen.length);
    expect([...seen, ...rest.slice(1).map(changeOf)]).toEqual(log());
  });

  it("FOLLOWERS-2: another journal's place, or an invalid one, is answered with resync, and goes on from now", async () => {
    await work(0, 1);
    for (const id of ["journal-0-1", "journal-1-99999", "journal-1-", "nonsense", "journal-1--1"]) {
      const stream = await listen("", { "Last-Event-ID": id });
      const [first] = await stream.take(1);
      expect(first).toEqual({
        event: "resync",
        id: `journal-1-${log().length}`,
        data: '{"reason":"incarnation"}',
      });
      await stream.cancel();
    }
    const stream = await listen("", { "Last-Event-ID": "journal-0-1" });
    await stream.take(1);
    const before = log().length;
    await work(1, 1);
    expect((await stream.take(1)).map(changeOf)).toEqual(log().slice(before, before + 1));
  });

  it("FOLLOWERS-2, G41: a place trimmed from the log is answered with resync", async () => {
    await work(0, 5);
    const { disk, clock } = served;
    await served.stop();
    dropChanges(disk, 4);
    served = await serve({ disk, clock });
    const [, told] = await (await listen("?after=journal-1-2")).take(2);
    expect(told).toMatchObject({ event: "resync", data: '{"reason":"too-old"}' });
    const kept = await (await listen("?after=journal-1-4")).take(2);
    expect(kept.map((each) => each.event)).toEqual(["ready", "change"]);
    expect(at(changeOf(kept[1] ?? {}), "n")).toBe(5);
  });

  it("FOLLOWERS-1: a filter lets through exactly what it names, and the id still moves on", async () => {
    const stream = await listen("?session=s2&entity=request");
    await stream.take(1);
    await work(0, 30, "shop/s1");
    await work(100, 1, "shop/s2");
    const wanted = log().filter(
      (change) => at(change, "sessionId") === "s2" && at(change, "entity") === "request",
    );
    const told = await stream.take(wanted.length);
    expect(told.map(changeOf)).toEqual(wanted);
    expect(told.at(-1)?.id).toBe(`journal-1-${String(at(wanted.at(-1), "n"))}`);
  });

  it("FOLLOWERS-7: whom another engine passes on is told the place whenever it has all, whatever the filter leaves out", async () => {
    await served.stop();
    const token = "t0ken-of-an-engine";
    const tokens = [
      { name: "local:tester", token: TOKEN },
      { name: "hub", token, access: VOUCHING },
    ];
    served = await serve({ place: { tokens } });
    await work(0, 1, "shop/s1");
    const behalf = { Authorization: `Bearer ${token}`, "Signalbox-For": "name=ann&may=view&workspace=bank" };
    const stream = await listen("?after=journal-1-0", behalf);
    await work(0, 1, "bank/s2");
    const told: Told[] = [];
    while (told.at(-1)?.id !== `journal-1-${log().length}`) told.push(...(await stream.take(1)));
    await work(1, 1, "shop/s1");
    told.push(...(await stream.take(1)));
    expect(told[0]).toMatchObject({ event: "ready", id: "journal-1-0" });
    expect(told.at(-1)?.event).toBe("ready");
    const changes = told.filter((each) => each.event === "change").map(changeOf);
    expect(changes).toEqual(log().filter((change) => at(change, "workspace") === "bank"));
  });

  it("FOLLOWERS-1: a beat shows that the line is open while nothing happens", async () => {
    const stream = await listen();
    await stream.take(1);
    const beat = stream.next();
    await turns();
    served.clock.advance(15_000);
    expect(await beat).toEqual({ comment: "beat" });
  });

  it("FOLLOWERS-1: a reader that takes nothing holds up nothing, is disconnected, and can come back", async () => {
    const { port, host } = new URL(served.url);
    const socket = connect(Number(port), "127.0.0.1");
    socket.pause();
    socket.write(
      `GET /v1/stream?after=journal-1-0 HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`,
    );
    while (!(await metrics()).includes("signalbox_followers 1\n")) await turns();
    const big = { prompt: "x".repeat(200_000) };
    for (let n = 0; n < 60; n += 1)
      await served.post("/v1/events", event("request.created", { requestId: `big${n}`, ...big }));
    expect(log().length).toBeGreaterThan(60);
    served.clock.advance(60_000);
    while (!(await metrics()).includes("signalbox_followers 0\n")) await turns();
    socket.destroy();
    const [ready] = await (await listen("?after=journal-1-1")).take(1);
    expect(ready?.event).toBe("ready");
  });

  it("FOLLOWERS-4: followers ten thousand changes behind each get all they want, in order", async () => {
    for (let n = 0; n < 11; n += 1) await work(n * 333, 333, `shop/many${n}`);
    await work(9_000, 1, "shop/wanted");
    const changes = log();
    expect(changes.length).toBeGreaterThan(10_001);
    const wanted = changes.filter((change) => at(change, "sessionId") === "wanted");
    expect(wanted.length).toBeGreaterThan(0);
    const [few, ...all] = await Promise.all([
      listen("?after=journal-1-0&session=wanted"),
      listen("?after=journal-1-0"),
      listen("?after=journal-1-0"),
    ]);
    expect((await few.take(1 + wanted.length)).slice(1).map(changeOf)).toEqual(wanted);
    for (const told of await Promise.all(all.map((stream) => stream.take(1 + changes.length)))) {
      expect(told[0]?.event).toBe("ready");
      expect(told.slice(1).map((each) => at(changeOf(each), "n"))).toEqual(
        changes.map((each) => at(each, "n")),
      );
    }
  });

  it("FOLLOWERS-2: a follower that wants at most so many is told to read the lists again when there are more", async () => {
    await work(0, 5);
    const newest = log().length;
    const [, told] = await (await listen(`?after=journal-1-0&behindMax=${newest - 1}`)).take(2);
    expect(told).toMatchObject({ event: "resync", data: '{"reason":"slow"}', id: `journal-1-${newest}` });
    const [, first] = await (await listen(`?after=journal-1-0&behindMax=${newest}`)).take(2);
    expect(at(changeOf(first ?? {}), "n")).toBe(1);
    expect((await served.get("/v1/stream?behindMax=many")).status).toBe(400);
  });

  it("FOLLOWERS-1: at most 64 follow at once; the next is told to come again", async () => {
    for (let n = 0; n < 64; n += 1) await (await listen()).take(1);
    const refused = await served.get("/v1/stream");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
    await open[0]?.cancel();
    while ((await metrics()).includes("signalbox_followers 64\n")) await turns();
    expect((await (await listen()).take(1))[0]?.event).toBe("ready");
  });

  it("FOLLOWERS-1: a HEAD request opens no stream", async () => {
    const headers = [
      ["Host", new URL(served.url).host] as const,
      ["Authorization", `Bearer ${TOKEN}`] as const,
    ];
    expect((await rawRequest(served.url, "HEAD", "/v1/stream", headers)).status).toBe(404);
    expect(await metrics()).toContain("signalbox_followers 0\n");
  });

  it("SERVER-2: closing ends every stream", async () => {
    const stream = await listen();
    await stream.take(1);
    await served.http.close();
    expect(await stream.next()).toBeUndefined();
  });

  it("QUERY-TABLE-1: a list names the change after which the stream continues it", async () => {
    await work(0, 3);
    const list = await served.get("/v1/requests");
    const after = list.headers.get("signalbox-change") ?? "";
    const before = log().length;
    await work(3, 1);
    const [, ...told] = await (await listen(`?after=${after}`)).take(1 + log().length - before);
    expect(told.map(changeOf)).toEqual(log().slice(before));
  });
});

const metrics = async (): Promise<string> => String((await served.get("/metrics")).body);

const turns = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

/** What a sweep does to the log. */
function dropChanges(disk: MemoryDisk, upTo: number): void {
  splitLog(disk);
  for (let n = 1; n <= upTo; n += 1) disk.rows.delete(keys.change(n));
  const meta = JSON.parse(disk.rows.get(keys.meta) ?? "{}") as object;
  disk.rows.set(keys.meta, JSON.stringify({ ...meta, changesFrom: upTo }));
}
