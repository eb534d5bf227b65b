// Dead letters and notices on a real server.

import { connect, StringCodec } from "nats";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MemoryDisk, MemoryJournal, MemoryStore } from "../../../../adapters/memory/index.ts";
import { ManualClock } from "../../../support/engine/manual-clock.ts";
import { connectNats } from "../../../../adapters/nats/index.ts";
import { systemClock } from "../../../../adapters/system/index.ts";
import { digestId } from "../../../../runtime/foreign-id.ts";
import { Engine } from "../../../../runtime/engine/engine.ts";
import { type NatsServer, natsServer } from "../../../support/nats/server.ts";
import { translate } from "../../../support/engine/rig.ts";
import { clients } from "../../../../adapters/composition/clients.ts";

let server: NatsServer;
beforeAll(async () => {
  server = await natsServer();
});
afterAll(() => server.dispose());

const onFatal = (error: Error): void => {
  throw error;
};
const text = StringCodec();

test("ROWS-DEAD-LETTERS-1, S1.19: an engine's dead letters stand in their stream once each, in order, and a start is announced", async () => {
  const connection = await connect({ servers: server.url });
  const notices = connection.subscribe("signalbox.v1.notice.>");
  await connection.flush();
  const link = await connectNats({
    url: server.url,
    clients,
    sealKey: new Uint8Array(32).fill(1),
    clock: new ManualClock(0),
    onFatal,
  });
  const disk = new MemoryDisk("letters");
  const newEngine = () =>
    new Engine({
      store: new MemoryStore(disk),
      journal: new MemoryJournal(disk, systemClock()),
      outlet: link.outlet,
      clock: systemClock(),
      digest: digestId,
      clients,
      translate,
      onFatal,
    });
  const engine = newEngine();
  await engine.start();
  for (let n = 1; n <= 20; n += 1) {
    const said = { source: "test", id: `m${n}`, type: "test.refused", data: { n } };
    const message = { door: "in", workspace: "w" as never, session: "s" as never, ...said } as const;
    await (
      await engine.submit(message)
    ).settled;
  }
  // Killed without a floor on disk: all letters are sent again.
  const next = newEngine();
  await next.start();
  const manager = await connection.jetstreamManager();
  const consumer = await connection.jetstream().consumers.get("SIGNALBOX_DLQ");
  await expect
    .poll(async () => (await manager.streams.info("SIGNALBOX_DLQ")).state.messages, { timeout: 10_000 })
    .toBe(20);
  const letters = await consumer.fetch({ max_messages: 20, expires: 5_000 });
  let n = 0;
  for await (const letter of letters) {
    n += 1;
    expect(letter.subject).toBe("signalbox.v1.dlq.bad-shape");
    expect(letter.headers?.get("Nats-Msg-Id")).toBe(`dead:letters:${n}`);
    expect(letter.headers?.get("Signalbox-Reason")).toBe("It has the wrong shape.");
    expect(letter.json()).toMatchObject({ n, code: "BAD_SHAPE", path: "data.x" });
    if (n === 20) break;
  }
  const told: unknown[] = [];
  for await (const { data } of notices) {
    told.push(JSON.parse(text.decode(data)));
    if (told.length === 2) break;
  }
  expect(told).toMatchObject([
    { incarnation: "letters", epoch: 1 },
    { incarnation: "letters", epoch: 2, ...next.recovered },
  ]);
  await next.stop();
  expect((await manager.streams.info("SIGNALBOX_DLQ")).state.messages).toBe(20);
  await link.close();
  await connection.close();
});
