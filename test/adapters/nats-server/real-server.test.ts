// A real nats-server
// What the journal and the outlet build on: the server the tests start is killed and comes back with what it took.

import { connect } from "nats";
import { expect, test } from "vitest";
import { natsServer } from "../../support/nats/server.ts";

test("PORTS-1: what a stream acknowledged is there again after the server was killed", async () => {
  const server = await natsServer();
  try {
    const first = await connect({ servers: server.url });
    await (await first.jetstreamManager()).streams.add({ name: "KEPT", subjects: ["kept"] });
    for (let n = 1; n <= 20; n += 1) expect((await first.jetstream().publish("kept")).seq).toBe(n);
    await server.kill();
    await first.close();
    await server.start();
    const second = await connect({ servers: server.url });
    const { state } = await (await second.jetstreamManager()).streams.info("KEPT");
    expect([state.messages, state.last_seq]).toEqual([20, 20]);
    await second.close();
  } finally {
    await server.dispose();
  }
});
