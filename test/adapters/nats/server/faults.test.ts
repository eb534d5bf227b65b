// A journal that has changed under the engine, noticed while it is connected and when it starts.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { said } from "../../../support/sessions/said.ts";
import { engineOnNats, messageOf, type OnNats, operator, until } from "../../../support/nats/on-nats.ts";
import { type NatsServer, natsServer } from "../../../support/nats/server.ts";

let server: NatsServer;
let running: OnNats[] = [];
let copies: string;

beforeEach(async () => {
  server = await natsServer();
  copies = await mkdtemp(join(tmpdir(), "signalbox-copies-"));
});
afterEach(async () => {
  for (const each of running.splice(0)) await each.stop();
  await server.dispose();
  await rm(copies, { recursive: true });
});

const start = async (options: Partial<Parameters<typeof engineOnNats>[0]> = {}) => {
  const started = await engineOnNats({ url: server.url, ...options });
  running.push(started);
  return started;
};

const JOURNAL = "SIGNALBOX_IN";
const SUBJECT = "signalbox.v1.in.w.s1.request.created";
const created = (id: string) =>
  JSON.stringify({ specversion: "1.0", id, source: "/gateway", data: { requestId: id } });

/** Creates requests with the given names. */
async function tell({ engine }: OnNats, ...names: readonly string[]): Promise<void> {
  for (const name of names) await (await engine.submit(messageOf("s1", name, said.created(name)))).settled;
}

const regressed = async (engine: OnNats): Promise<void> => {
  await until("the engine stops", () => engine.fatals.length > 0);
  expect(engine.fatals.map((error) => "code" in error && error.code)).toEqual(["JOURNAL_REGRESSED"]);
};

test("NATS-JOURNAL-1, NATS-READER-1: a stream deleted and recreated under a connected engine stops it, and nothing in it is applied", async () => {
  const engine = await start();
  await tell(engine, "r1", "r2");
  const { position } = engine.engine.meta();
  const other = await operator(server.url);
  const { config } = await other.manager.streams.info(JOURNAL);
  await other.manager.streams.delete(JOURNAL);
  await other.manager.streams.add(config);
  for (let n = 1; n <= 30; n += 1) await other.stream.publish(SUBJECT, created(`new${n}`));
  await regressed(engine);
  expect(engine.engine.meta().position).toBe(position);
  expect(engine.changes.some(({ id }) => id.startsWith("new"))).toBe(false);
  await other.close();
});

test("STREAM-EXTENT-1: a store restored from an earlier copy stops the engine that returns to it", async () => {
  const engine = await start();
  await tell(engine, "r1");
  await server.kill();
  await server.saveStore(join(copies, "early"));
  await server.start();
  await tell(engine, "r2", "r3", "r4");
  const { position } = engine.engine.meta();
  await server.kill();
  await server.restoreStore(join(copies, "early"));
  await server.start();
  await regressed(engine);
  expect(engine.engine.meta().position).toBe(position);
});

test("STREAM-EXTENT-1: the same when other messages have since grown the stream beyond the cursor", async () => {
  const engine = await start();
  await tell(engine, "r1");
  await server.kill();
  await server.saveStore(join(copies, "early"));
  await server.start();
  await tell(engine, "r2", "r3");
  await engine.stop();
  running = [];
  await server.kill();
  await server.restoreStore(join(copies, "early"));
  await server.start();
  const other = await operator(server.url);
  for (let n = 1; n <= 30; n += 1) await other.stream.publish(SUBJECT, created(`new${n}`));
  await expect(start({ disk: engine.disk })).rejects.toMatchObject({
    code: "JOURNAL_REGRESSED",
    message: expect.stringContaining("is not the one that was read there") as string,
  });
  const adopting = await start({ disk: engine.disk, adoptJournal: true });
  expect(adopting.changes.filter(({ id }) => id === "new30")).toHaveLength(1);
  expect(adopting.changes.some(({ id }) => id === "r1")).toBe(false);
  await other.close();
});

test("NATS-JOURNAL-2: messages purged before they were read stop the engine; it skips nothing", async () => {
  const { link, engine } = await start();
  await engine.stop();
  running = [];
  const { journal } = link;
  const { incarnation, position } = await journal.open(undefined);
  const other = await operator(server.url);
  for (let n = 1; n <= 600; n += 1) other.connection.publish(SUBJECT, created(`r${n}`));
  await other.connection.flush();
  const never = new AbortController().signal;
  let at = (await journal.read(position, 10, never)).at(-1)?.position ?? 0;
  await other.manager.streams.purge(JOURNAL, { seq: 590 });
  const reading = async (): Promise<void> => {
    for (;;) for (const entry of await journal.read(at, 256, never)) expect((at += 1)).toBe(entry.position);
  };
  await expect(reading()).rejects.toMatchObject({ code: "JOURNAL_REGRESSED", obligation: "stop" });
  expect(at).toBeLessThan(590);
  await expect(journal.open({ incarnation, position: at })).rejects.toMatchObject({
    code: "JOURNAL_REGRESSED",
  });
  await other.close();
  await link.close();
});

test("NATS-JOURNAL-2: one message deleted ahead of the cursor is a gap like any other", async () => {
  const engine = await start();
  await tell(engine, "r1");
  await engine.stop();
  running = [];
  const other = await operator(server.url);
  const acks = [];
  for (let n = 1; n <= 3; n += 1) acks.push(await other.stream.publish(SUBJECT, created(`new${n}`)));
  const { seq } = acks[1]!;
  await other.manager.streams.deleteMessage(JOURNAL, seq);
  // The gap is found before anything is read, so the start itself is refused.
  await expect(start({ disk: engine.disk })).rejects.toMatchObject({
    code: "JOURNAL_REGRESSED",
    missing: [{ first: seq, last: seq }],
  });
  await other.close();
});

test("TRIMMING-2: the engine's own trimming never takes the message at the cursor", async () => {
  const engine = await start({ journalKept: { ms: 0, bytes: 1 } });
  await tell(engine, "r1", "r2", "r3");
  const { position } = engine.engine.meta();
  await engine.link.journal.trim(position - 1);
  await engine.stop();
  running = [];
  const again = await start({ disk: engine.disk });
  expect(again.fatals).toEqual([]);
  await tell(again, "r4");
  expect(again.changes.filter(({ entity }) => entity === "request").map(({ id }) => id)).toEqual(["r4"]);
});
