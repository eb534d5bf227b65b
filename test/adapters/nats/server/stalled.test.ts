// A server, or only its JetStream, stands still while connections stay up: everybody gets an answer, the stall is
// reported, and afterwards everything goes on.

import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { MemoryDisk } from "../../../../adapters/memory/index.ts";
import { ManualClock } from "../../../support/engine/manual-clock.ts";
import { connectNats, type NatsLink } from "../../../../adapters/nats/index.ts";
import { ENGINE, type OwnMessage, writeMessage } from "../../../../runtime/message.ts";
import type { Journal } from "../../../../runtime/ports.ts";
import { said } from "../../../support/sessions/said.ts";
import { following } from "../../../support/nats/following.ts";
import { engineOnNats, messageOf, type OnNats, operator, until } from "../../../support/nats/on-nats.ts";
import { type NatsServer, natsServer } from "../../../support/nats/server.ts";
import { wedge, type Wedge } from "../../../support/nats/wedge.ts";
import { clients } from "../../../../adapters/composition/clients.ts";

let server: NatsServer;
let proxy: Wedge;
let running: OnNats | undefined;

beforeEach(async () => {
  server = await natsServer();
  proxy = await wedge(server);
});
afterEach(async () => {
  server.resume();
  proxy.set("no");
  await running?.stop();
  running = undefined;
  await proxy.close();
  await server.dispose();
});

const start = async (options: Partial<Parameters<typeof engineOnNats>[0]> = {}): Promise<OnNats> =>
  (running = await engineOnNats({ url: proxy.url, ...options }));

const codesOf = ({ engine }: OnNats): readonly string[] => engine.troubles().map(({ code }) => code);
const isQuiet = (engine: OnNats): boolean => codesOf(engine).length === 0;

/** A link whose waits end when the test says so. */
async function linkAt(clock: ManualClock): Promise<NatsLink> {
  const onFatal = (error: Error): void => {
    throw error;
  };
  const link = await connectNats({
    url: proxy.url,
    clients,
    sealKey: new Uint8Array(32).fill(7),
    clock,
    onFatal,
  });
  await link.journal.open(undefined);
  return link;
}

/** Entries handed in, and what each sender was told, by the entry's number. */
function handing(journal: Journal) {
  const told = new Map<number, string>();
  let n = 0;
  return {
    told,
    hand: (count: number, isOwn = false): void => {
      for (let left = count; left > 0; left -= 1) {
        const mine = (n += 1);
        const own: OwnMessage = { door: "own", ...ENGINE, said: { type: "tallied" } };
        const body = writeMessage(isOwn ? own : messageOf("s", `m${mine}`, said.sessionStart()));
        journal.append([body], { own: isOwn }).then(
          () => told.set(mine, "taken"),
          (error: unknown) => told.set(mine, (error as { code: string }).code),
        );
      }
    },
  };
}
/** Lets settled promises report. */
const tick = (): Promise<void> => sleep(1);
const counts = (told: ReadonlyMap<number, string>): readonly (readonly [string, number])[] => {
  const found = new Map<string, number>();
  for (const code of told.values()) found.set(code, (found.get(code) ?? 0) + 1);
  return [...found];
};

/** The window holds 256 of the first 300; later ones find others in flight. */
const STALLS = [
  ["a server that stands still", () => server.stop()],
  ["a JetStream that is told nothing", () => proxy.set("deaf")],
  ["a JetStream that says nothing", () => proxy.set("mute")],
] as const;

test.each(STALLS)(
  "LINE-2: %s: each sender is told when its wait is over, in flight or not, however many came before",
  async (_, stall) => {
    const clock = new ManualClock(0);
    const link = await linkAt(clock);
    const { hand, told } = handing(link.journal);
    await stall();
    hand(300);
    await tick();
    clock.advance(1_000);
    hand(10);
    hand(5, true);
    await tick();
    clock.advance(4_000);
    await tick();
    expect(counts(told)).toEqual([["JOURNAL_UNAVAILABLE", 300]]);
    hand(1);
    clock.advance(1_000);
    await tick();
    expect(counts(told)).toEqual([["JOURNAL_UNAVAILABLE", 315]]);
    clock.advance(4_000);
    await tick();
    expect(counts(told)).toEqual([["JOURNAL_UNAVAILABLE", 316]]);
    await link.journal.close();
    server.resume();
    await link.close();
  },
);

test("LINE-1: a message that the stream has but did not acknowledge is sent again and stands there once", async () => {
  const clock = new ManualClock(0);
  const link = await linkAt(clock);
  const { hand, told } = handing(link.journal);
  const other = await operator(server.url);
  const count = async () => (await other.all("SIGNALBOX_IN")).length;
  proxy.set("mute");
  hand(5);
  while ((await count()) < 5) await sleep(10);
  expect([...told]).toEqual([]);
  await server.kill();
  proxy.set("no");
  await server.start();
  await until("all are told", () => told.size === 5);
  expect(counts(told)).toEqual([["taken", 5]]);
  expect(await count()).toBe(5);
  await other.close();
  await link.journal.close();
  await link.close();
});

test("LINE-4, PULSE-2: while JetStream has been silent for long nothing more is sent; waiting messages are sent once it answers", async () => {
  const clock = new ManualClock(0);
  const link = await linkAt(clock);
  const { journal } = link;
  const { hand, told } = handing(journal);
  proxy.set("deaf");
  clock.advance(1_000);
  await until("it is told", () => journal.troubles?.().length === 1);
  clock.advance(10_000);
  await tick();
  const before = proxy.lost;
  hand(300);
  await tick();
  clock.advance(1_000);
  await sleep(100);
  // At most the question whether it answers.
  expect(proxy.lost - before).toBeLessThan(2);
  expect(counts(told)).toEqual([]);
  proxy.set("no");
  // The question under way was lost as well: the next one is asked once that has been given up.
  await until("it answers", () => {
    clock.advance(10);
    return journal.troubles?.().length === 0;
  });
  clock.advance(100);
  await until("all are taken", () => told.size === 300);
  expect(counts(told)).toEqual([["taken", 300]]);
  await journal.close();
  await link.close();
});

/** Sends until each is taken, as a sender does when told to send again. */
async function sendAll(on: OnNats, session: string, from: number, count: number): Promise<readonly string[]> {
  const refusals: string[] = [];
  for (let n = from; n < from + count; n += 1) {
    for (;;) {
      try {
        const { settled } = await on.engine.submit(
          messageOf(session, `m${n}`, said.created(`${session}-r${n}`)),
        );
        await settled;
        break;
      } catch (error) {
        refusals.push((error as { code: string }).code);
        if (refusals.length > 100) throw error;
      }
    }
  }
  return refusals;
}

const SESSIONS = ["s1", "s2", "s3", "s4"];

/** Each request stands there once, in order, and all that left is whole. */
async function checkWhole(on: OnNats, each: number): Promise<void> {
  const other = await operator(server.url);
  await until("everything has left", () => on.engine.lag().outlet === 0);
  const left = (await other.all("SIGNALBOX_STATE")).map(({ headers }) => headers?.get("Nats-Msg-Id") ?? "");
  for (const session of SESSIONS) {
    const ids = on.changes
      .filter(({ sessionId, entity, from }) => sessionId === session && entity === "request" && from === null)
      .map(({ id }) => id);
    expect(ids).toEqual(Array.from({ length: each }, (_, n) => `${session}-r${n}`));
    const versions = on.changes
      .filter(({ sessionId }) => sessionId === session)
      .map(({ version }) => version);
    expect(versions).toEqual(versions.map((_, n) => n + 1));
    expect(left.filter((id) => id.startsWith(`w/${session}:`))).toEqual(
      versions.map((version) => `w/${session}:${version}`),
    );
  }
  expect(on.fatals).toEqual([]);
  await other.close();
}

test.each([
  ["a server that stands still", "NATS_AWAY", () => server.stop()],
  ["a JetStream that is told nothing", "JETSTREAM_SILENT", () => proxy.set("deaf")],
  ["a JetStream that says nothing", "JETSTREAM_SILENT", () => proxy.set("mute")],
] as const)(
  "PULSE-1, LINE-1, CONNECT-2: %s is an essential trouble that ends by itself; then nothing is lost, doubled or out of order",
  async (_, code, stall) => {
    const on = await start();
    const sent = SESSIONS.map((session) => sendAll(on, session, 0, 5));
    expect((await Promise.all(sent)).flat()).toEqual([]);
    expect(codesOf(on)).toEqual([]);
    await stall();
    const sending = SESSIONS.map((session) => sendAll(on, session, 5, 20));
    await until("it is told", () => codesOf(on).includes(code));
    expect(on.engine.troubles()[0]).toMatchObject({ code, isEssential: true });
    // Reads do not wait for the journal.
    if (code === "JETSTREAM_SILENT") await expect(on.engine.entry(1)).rejects.toMatchObject({ code });
    // All four are told to send again, and do so, even during the stall.
    const refused = on.engine.own(ENGINE.workspace, ENGINE.session, { type: "tallied" });
    await expect(refused).rejects.toMatchObject({ code: "JOURNAL_UNAVAILABLE" });
    server.resume();
    proxy.set("no");
    const refusals = (await Promise.all(sending)).flat();
    expect(new Set(refusals)).toEqual(new Set(["JOURNAL_UNAVAILABLE"]));
    await until("it is told no more", () => isQuiet(on));
    await checkWhole(on, 25);
  },
);

test("LINE-2: an engine stopped while its server stands still ends, and the next one goes on from there", async () => {
  const disk = new MemoryDisk("store");
  const at = await following(proxy.url, { disk });
  await at.say("s1", 3);
  await server.stop();
  await at.end();
  server.resume();
  await at.begin();
  await at.say("s1", 3);
  expect(at.engine().meta().position).toBeGreaterThanOrEqual(6);
  await at.end();
});
