// Services, begun
// When an engine on NATS reports that it is ready.

import { afterEach, beforeEach, expect, test } from "vitest";
import { stderrLog } from "../../../../adapters/log/index.ts";
import { NatsSide } from "../../../../adapters/composition/nats-side.ts";
import { type NatsServer, natsServer } from "../../../support/nats/server.ts";
import { serving } from "../../../support/nats/serving.ts";

let server: NatsServer;
beforeEach(async () => {
  server = await natsServer();
});
afterEach(() => server.dispose());

test("NATS-SIDE-1: an engine on NATS is ready once its services answer there, not before", async () => {
  const serves = await serving(server.url);
  const { engine, door, queries, clock } = serves;
  const errors: unknown[] = [];
  const side = new NatsSide({
    url: server.url,

    sealKey: new Uint8Array(32),
    clock,
    log: stderrLog("silent"),
    onFatal: (error) => void errors.push(error),
  });
  const seen = [side.isServing];
  await side.connect();
  seen.push(side.isServing);
  const onError = (error: unknown): void => void errors.push(error);
  await side.serve({ engine, door, queries, version: "1.2.3", onError });
  seen.push(side.isServing);
  await side.endServices();
  seen.push(side.isServing);
  await side.close();
  await serves.stop();
  expect([seen, errors]).toEqual([[false, false, true, false], []]);
});
