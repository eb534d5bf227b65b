// Services, connection lost
// Subscriptions return with the connection, and losing it does not end a start.

import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "nats";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serveNats } from "../../../../adapters/nats/services/index.ts";
import { type NatsServer, natsServer } from "../../../support/nats/server.ts";
import { serving } from "../../../support/nats/serving.ts";

let server: NatsServer;
beforeAll(async () => void (server = await natsServer()));
afterAll(() => server.dispose());

test("Services: services that lose the connection while they start answer once it is back", async () => {
  const first = await serving(server.url);
  const connection = await connect({ servers: server.url, maxReconnectAttempts: -1, reconnectTimeWait: 50 });
  await server.stop();
  const { engine, door, queries } = first;
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  const beginning = serveNats({ connection, engine, door, queries, version: "1.2.3", onError });
  await sleep(50);
  await server.kill();
  await server.start();
  const second = await beginning;
  await first.served.stop();
  const client = await connect({ servers: server.url });
  const ask = () =>
    client.request("signalbox.v1.query.stats", "", { timeout: 500 }).then((answered) => answered.string());
  await expect.poll(() => ask().catch(String), { timeout: 20_000 }).toContain('"changes":0');
  await client.close();
  await second.stop();
  await connection.close();
  await first.stop();
  expect([errors, first.errors]).toEqual([[], []]);
});
