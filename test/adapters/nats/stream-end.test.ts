// Stream end: where the journal ends, as the server that leads it knows, on real servers.

import { connect, type NatsConnection, nanos } from "nats";
import { afterAll, beforeAll, expect, test } from "vitest";
import { setTimeout as sleep } from "node:timers/promises";
import { hasMajority, streamEnd } from "../../../adapters/nats/stream-end.ts";
import { STREAMS } from "../../../adapters/nats/streams.ts";
import { ENGINE } from "../../../runtime/message.ts";
import { subjects } from "../../../runtime/rows/subjects.ts";
import { type NatsCluster, natsCluster } from "../../support/nats/cluster.ts";

let cluster: NatsCluster;
let connection: NatsConnection;
beforeAll(async () => {
  cluster = await natsCluster();
  connection = await connect({ servers: cluster.url.split(","), maxReconnectAttempts: -1 });
});
afterAll(async () => {
  await connection.close();
  await cluster.dispose();
});

test("STREAM-END-1: the end has all that was acknowledged and the newest term; without a majority of the servers there is no end", async () => {
  const manager = await connection.jetstreamManager({ timeout: 2_000 });
  const owns = { name: STREAMS.journal, subjects: [subjects.inputs, subjects.owns], num_replicas: 3 };
  await manager.streams.add(owns);
  await expect.poll(() => streamEnd(manager).catch(() => undefined)).toEqual({ tail: 0, term: 0 });
  const stream = connection.jetstream();
  for (let n = 1; n <= 30; n += 1) {
    const kind = n % 10 === 5 ? "term.begun" : "timer.fired";
    const { seq } = await stream.publish(subjects.own(ENGINE.workspace, ENGINE.session, kind), "x");
    const lastTerm = n < 5 ? 0 : n - ((n - 5) % 10);
    expect(await streamEnd(manager)).toEqual({ tail: seq, term: lastTerm });
  }
  await stream.publish(subjects.own("shop", ENGINE.session, "term.begun"), "of another workspace");
  expect(await streamEnd(manager)).toEqual({ tail: 31, term: 25 });
  await Promise.all(cluster.servers.slice(0, 2).map((server) => server.kill()));
  await sleep(4_000);
  await expect(streamEnd(manager)).rejects.toMatchObject({ obligation: "retry" });
});

test.each([
  { replicas: undefined, isOne: true },
  { replicas: [], isOne: true },
  { replicas: [100, 200], isOne: true },
  { replicas: [100, 9_000], isOne: true },
  { replicas: [3_001, 9_000], isOne: false },
  { replicas: [100, 100, 9_000, 9_000], isOne: true },
  { replicas: [100, 9_000, 9_000, 9_000], isOne: false },
  { replicas: [0, 0], isOne: false },
])(
  "STREAM-END-1: with copies heard of so many ms ago: $replicas, majority: $isOne",
  ({ replicas, isOne }) => {
    const heard = replicas?.map((ms) => ({
      name: "n",
      current: true,
      offline: false,
      active: nanos(ms),
      lag: 0,
    }));
    expect(hasMajority(heard && { leader: "one", replicas: heard })).toBe(isOne);
  },
);

test("STREAM-END-2: a server that names no leader has no majority, whatever it has heard", () => {
  const heard = { name: "n", current: true, offline: false, active: nanos(100), lag: 0 };
  expect(hasMajority({ replicas: [heard, heard, heard] })).toBe(false);
});

test("STREAM-END-2: while the lead changes again and again, no end is behind what was acknowledged before", async () => {
  const manager = await connection.jetstreamManager({ timeout: 2_000, checkAPI: false });
  const stream = connection.jetstream({ timeout: 1_000 });
  await Promise.all(cluster.servers.slice(0, 2).map((server) => server.start()));
  const kind = subjects.own(ENGINE.workspace, ENGINE.session, "timer.fired");
  let [acknowledged, answers, isOver] = [0, 0, false];
  const writing = (async () => {
    while (!isOver) {
      const ack = await stream.publish(kind, "x").catch(() => undefined);
      acknowledged = Math.max(acknowledged, ack?.seq ?? 0);
    }
  })();
  const behind: unknown[] = [];
  const reading = Array.from({ length: 4 }, async () => {
    while (!isOver) {
      const before = acknowledged;
      const end = await streamEnd(manager).catch(() => undefined);
      if (end) answers += 1;
      if (end && end.tail < before) behind.push({ before, end });
    }
  });
  try {
    for (let n = 0; n < 5; n += 1) {
      await expect.poll(() => streamEnd(manager).catch(() => undefined), { timeout: 50_000 }).toBeDefined();
      await sleep(300);
      await connection
        .request(`$JS.API.STREAM.LEADER.STEPDOWN.${STREAMS.journal}`, undefined, { timeout: 2_000 })
        .catch(() => undefined);
    }
  } finally {
    // Once the connection is closed, each of their calls would fail at once, and they would let nothing else run.
    isOver = true;
    await Promise.all([writing, ...reading]);
  }
  expect(behind).toEqual([]);
  expect(answers).toBeGreaterThan(0);
}, 300_000);
