// Publishes changes to a server that is killed again and again.

import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { MemoryDisk, MemoryStore } from "../../../adapters/memory/index.ts";
import { connectNats, type NatsLink } from "../../../adapters/nats/index.ts";
import { systemClock } from "../../../adapters/system/index.ts";
import type { StateChange } from "../../../runtime/rows/changes.ts";
import { changesBy } from "../../../runtime/outbound/outlet-publisher.ts";
import { keys } from "../../../runtime/rows/keys.ts";
import { Outbox } from "../../../runtime/outbound/outbox.ts";
import { operator, until } from "../../support/nats/on-nats.ts";
import { type NatsServer, natsServer } from "../../support/nats/server.ts";
import { clients } from "../../../adapters/composition/clients.ts";

let server: NatsServer;
let link: NatsLink;
const clock = systemClock();

beforeEach(async () => {
  server = await natsServer();
  const sealKey = new Uint8Array(32).fill(1);
  link = await connectNats({ url: server.url, clients, sealKey, clock, onFatal: () => undefined });
});
afterEach(async () => {
  await link.close();
  await server.dispose();
});

const CHANGES = 8_000;
const SESSIONS = 400;

/** A log of changes: each session's in turn. */
async function log(): Promise<MemoryStore> {
  const store = new MemoryStore(new MemoryDisk("outlet"));
  await store.open();
  const rows = Array.from({ length: CHANGES }, (_, index) => {
    const id = `s${index % SESSIONS}`;
    const version = Math.floor(index / SESSIONS) + 1;
    const change: Partial<StateChange> = {
      n: index + 1,
      workspace: "w",
      sessionId: id,
      entity: "session",
      id,
      version,
      to: version % 2 === 0 ? "idle" : "running",
      at: 1_800_000_000_000 + index,
    };
    return { put: keys.change(index + 1), value: JSON.stringify(change) };
  });
  await store.commit(rows);
  return store;
}

test("OUTBOX-1, OUTBOX-2: 8,000 changes over three kills: all arrive, none behind a later version of its session", async () => {
  const store = await log();
  const outbox = new Outbox(store, changesBy(link.outlet), clock, { published: 0, durable: 0 });
  const kills: number[] = [];
  outbox.advance(CHANGES);
  for (const after of [1_000, 3_000, 5_000]) {
    await until(`${after} are published`, () => outbox.published >= after);
    await server.kill();
    kills.push(outbox.waiting);
    await sleep(100);
    await server.start();
  }
  await until("all are published", () => outbox.waiting === 0);
  await outbox.stop();
  expect(kills.every((waiting) => waiting > 0)).toBe(true);

  const other = await operator(server.url);
  const versions = new Map<string, number>();
  for (const { headers } of await other.all("SIGNALBOX_STATE")) {
    const [session = "", version] = (headers?.get("Nats-Msg-Id") ?? "").split(":");
    expect([session, Number(version)]).toEqual([session, (versions.get(session) ?? 0) + 1]);
    versions.set(session, Number(version));
  }
  expect([...versions.values()]).toEqual(Array.from({ length: SESSIONS }, () => CHANGES / SESSIONS));
  await other.close();
});

test("G38: a change stands on its subject as a CloudEvent in binary mode, its body the change", async () => {
  const about = {
    workspace: "w",
    sessionId: "s",
    entity: "toolcall",
    to: "denied",
    at: 1_800_000_000_000,
  } as const;
  const body = JSON.stringify({ ...about, n: 7, id: "t1", version: 3 });
  const subject = "signalbox.v1.state.w.s.toolcall.t1.denied";
  await link.outlet.publish({ n: 7, messageId: "w/s:3", subject, about, body });
  await link.outlet.publish({ n: 7, messageId: "w/s:3", subject, about, body });
  const other = await operator(server.url);
  const [message, ...more] = await other.all("SIGNALBOX_STATE");
  expect(more).toEqual([]);
  expect([message?.subject, message?.string()]).toEqual([subject, body]);
  expect(
    Object.fromEntries(Array.from(message?.headers ?? [], ([name, [value]]) => [name, value])),
  ).toMatchObject({
    "ce-specversion": "1.0",
    "ce-id": "w/s:3",
    "ce-source": "signalbox",
    "ce-type": "signalbox.v1.toolcall.denied",
    "ce-subject": "w/s",
    "ce-time": "2027-01-15T08:00:00.000Z",
    "content-type": "application/json",
  });
  await other.close();
});
