// Quota on a real server
// A gateway publishes beyond its quota: what happens to that, and to what everybody else sends meanwhile.

import { headers } from "nats";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { MemoryDisk } from "../../../adapters/memory/index.ts";
import { completed } from "../../../runtime/config.ts";
import { capacityOf, type Quota } from "../../../runtime/quota.ts";
import { rowsOf } from "../../support/engine/rig.ts";
import { said } from "../../support/sessions/said.ts";
import { engineOnNats, messageOf, operator, until } from "../../support/nats/on-nats.ts";
import { type NatsServer, natsServer } from "../../support/nats/server.ts";

let server: NatsServer;

beforeEach(async () => {
  server = await natsServer();
});
afterEach(() => server.dispose());

const QUOTA: Quota = { messages: 1, bytes: 1_000, kept: "off" };
const FULL = capacityOf(QUOTA);
const configuration = completed({ quota: QUOTA });
const onTypes = (workspace: string, session: string, type: string): string =>
  `signalbox.v1.in.${workspace}.${session}.${type}`;
const envelope = (id: string, data: object = {}): string =>
  JSON.stringify({ specversion: "1.0", id, source: "/g", data });

interface Told {
  readonly code: string;
  readonly workspace?: string;
  readonly bytes?: number;
  readonly unrecorded?: number;
}
const letters = (disk: MemoryDisk): readonly Told[] =>
  [...rowsOf(disk, "dead/").values()].map((row) => JSON.parse(row) as Told);
const overQuota = (disk: MemoryDisk): readonly Told[] =>
  letters(disk).filter(({ code }) => code === "OVER_QUOTA");
const sum = (numbers: readonly (number | undefined)[]): number =>
  numbers.reduce<number>((all, each) => all + (each ?? 0), 0);

test("G14: a gateway that floods is turned away and told on the bus; another's events are taken, and the engine stays ready", async () => {
  const engine = await engineOnNats({ url: server.url, configuration });
  const other = await operator(server.url);
  const count = FULL.messages + 500;
  const published = Array.from({ length: count }, (_, n) =>
    other.stream.publish(onTypes("chat", "x", "session.started"), envelope(`m${n}`)),
  );
  const { settled } = await engine.engine.submit(messageOf("s", "m1", said.created("r1")));
  expect((await settled).outcome).toBe("applied");
  await Promise.all(published);
  await other.stream.publish(onTypes("shop", "s2", "session.started"), envelope("e1"));
  await until("the other's event is taken", () => rowsOf(engine.disk, "actor/shop/s2").size === 1);
  const through = rowsOf(engine.disk, "seen/chat/").size;
  expect(through).toBeGreaterThanOrEqual(FULL.messages);
  expect(through).toBeLessThan(count);
  await until(
    "all is told",
    () => sum(overQuota(engine.disk).map((each) => each.unrecorded)) === count - through,
  );
  expect(engine.engine.allowance.turnedAway.get("chat")).toBe(count - through);
  for (const letter of overQuota(engine.disk)) expect(letter.workspace).toBe("chat");
  await until("it is on the bus", async () => {
    const { state } = await other.manager.streams.info("SIGNALBOX_DLQ", { subjects_filter: ">" });
    return Object.keys(state.subjects ?? {}).includes("signalbox.v1.dlq.over-quota");
  });
  expect(engine.engine.isReady).toBe(true);
  expect(engine.engine.troubles()).toEqual([]);
  expect(engine.fatals).toEqual([]);
  await other.close();
  await engine.stop();
});

test("TURNING-AWAY-1: junk counts with all its bytes, headers included; beyond the quota it gets no letter of its own", async () => {
  const engine = await engineOnNats({ url: server.url, configuration });
  const other = await operator(server.url);
  const heavy = headers();
  heavy.set("X-Ballast", "x".repeat(60_000));
  const count = Math.ceil(FULL.bytes / 60_000) + 40;
  for (let n = 0; n < count; n += 1)
    await other.stream.publish(onTypes("chat", "x", "tool.started"), "junk", { headers: heavy });
  await until("all is read", () => engine.engine.lag().journal === 0);
  const read = letters(engine.disk).filter(({ code }) => code === "NOT_JSON").length;
  const unread = letters(engine.disk).filter(({ code }) => code === "UNRECORDED");
  expect(read + sum(unread.map((each) => each.unrecorded))).toBeLessThanOrEqual(count - 39);
  await until("it is told", () => sum(overQuota(engine.disk).map((each) => each.unrecorded)) >= 39);
  expect(sum(overQuota(engine.disk).map(({ bytes }) => bytes))).toBeGreaterThan(39 * 60_000);
  expect(engine.fatals).toEqual([]);
  await other.close();
  await engine.stop();
});

test("TURNING-AWAY-3: a denial sent over the bus passes behind a flood", async () => {
  const engine = await engineOnNats({ url: server.url, configuration });
  const other = await operator(server.url);
  const ask = { tool: "Bash", input: { command: "ls" }, approvalId: "a1", toolUseId: "t1" };
  await other.stream.publish(onTypes("chat", "s", "approval.requested"), envelope("q1", ask));
  await Promise.all(
    Array.from({ length: FULL.messages + 200 }, (_, n) =>
      other.stream.publish(onTypes("chat", "x", "session.started"), envelope(`m${n}`)),
    ),
  );
  const deny = { decision: "deny", by: "bob", approvalId: "a1", toolUseId: "t1" };
  await other.stream.publish(onTypes("chat", "s", "approval.answered"), envelope("d1", deny));
  const stateOf = (): unknown => {
    const row = rowsOf(engine.disk, "actor/chat/s/approval/a1").get("actor/chat/s/approval/a1");
    return (JSON.parse(row ?? "{}") as { value?: string }).value;
  };
  // What is on the bus is not yet behind: the engine may not have heard of it.
  await until("the denial stands", () => stateOf() === "denied");
  expect(stateOf()).toBe("denied");
  expect(engine.engine.allowance.turnedAway.get("chat")).toBeGreaterThan(100);
  await other.close();
  await engine.stop();
});

test("TURNING-AWAY-1, G7: a process that ends within a flood, and a fresh store, turn away the same messages as one that read it all", async () => {
  const first = await engineOnNats({ url: server.url, configuration });
  const other = await operator(server.url);
  const flood = (from: number): Promise<unknown> =>
    Promise.all(
      Array.from({ length: FULL.messages }, (_, n) =>
        other.stream.publish(onTypes("chat", "x", "session.started"), envelope(`m${from + n}`)),
      ),
    );
  await flood(0);
  const going = flood(FULL.messages);
  await until("some was turned away", () => (first.engine.allowance.turnedAway.get("chat") ?? 0) > 0);
  await first.crash();
  await going;
  const second = await engineOnNats({ url: server.url, disk: first.disk, configuration });
  await until("all is read", () => second.engine.lag().journal === 0);
  await until("all is told", () => second.engine.meta().overQuota === undefined);
  const fresh = await engineOnNats({ url: server.url, configuration });
  await until("all is read again", () => fresh.engine.lag().journal === 0);
  expect([...rowsOf(fresh.disk, "seen/chat/").keys()]).toEqual([...rowsOf(second.disk, "seen/chat/").keys()]);
  expect(overQuota(fresh.disk)).toEqual(overQuota(second.disk));
  await other.close();
  await Promise.all([second.stop(), fresh.stop()]);
});
