// Client, stalled
// The client of a server that stands still: each call gets an answer, closing ends, and nothing is sent twice.

import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Client, connect } from "../../../../adapters/nats/client/client.ts";
import { codeOf } from "../../../support/engine/refusal.ts";
import { natsServer, type NatsServer } from "../../../support/nats/server.ts";
import { addStream, bench, type Bench, stored } from "../../../support/nats/streams.ts";

let server: NatsServer;
let at: Bench;

beforeEach(async () => {
  server = await natsServer();
  at = await bench(server.url);
  await addStream(at, "SIGNALBOX_IN");
});
afterEach(async () => {
  server.resume();
  await at.connection.close();
  await server.dispose();
});

const join = (deadlineMs: number): Promise<Client> =>
  connect({
    url: server.url,
    workspace: "shop",
    source: "/bot",
    deadlineMs,
    nats: { reconnectTimeWait: 50 },
  });

test("CLIENT-LINK-2: each call ends at its deadline, and with it those queued behind it in its session; closing ends", async () => {
  const client = await join(3_000);
  const session = client.session("s1");
  await session.publish("session.started", {}, { id: "m0" });
  await server.stop();
  const calls = [
    session.publish("session.ended", {}, { id: "m1" }),
    session.publish("session.started", {}, { id: "m2" }),
    client.session("s2").publish("session.started", {}, { id: "m3" }),
    client.query.sessions.get("s1"),
    client.decide("ann", { approvalId: "a1", decision: "deny" }),
    client.now(),
  ];
  const told = await Promise.all(calls.map((call) => codeOf(call)));
  expect(told).toEqual([
    "NOT_ACKNOWLEDGED",
    "NOT_SENT",
    "NOT_ACKNOWLEDGED",
    "NOT_ACKNOWLEDGED",
    "NOT_ACKNOWLEDGED",
    "NOT_ACKNOWLEDGED",
  ]);
  await client.close();
  expect(await codeOf(session.publish("session.ended", {}))).toBe("CLOSED");
});

test("CLIENT-LINK-2: a server that resumes within the deadline has each message once, in order", async () => {
  const client = await join(30_000);
  const session = client.session("s1");
  await session.publish("session.started", {}, { id: "m0" });
  await server.stop();
  const sent = ["m1", "m2", "m3"].map((id) => session.publish("session.ended", {}, { id }));
  // Long enough for the client to give up the connection.
  await sleep(7_000);
  server.resume();
  await Promise.all(sent);
  const found = await stored(at, "SIGNALBOX_IN");
  expect(found.map(({ body }) => (body as { id: string }).id)).toEqual(["m0", "m1", "m2", "m3"]);
  await client.close();
});

test("CLIENT-LINK-2: connecting to a server that stands still is given up at the deadline", async () => {
  await server.stop();
  expect(await codeOf(join(1_000))).toBe("NOT_CONNECTED");
});
