// Full
// A gateway fills the stream of inputs on a real server: the engine's own messages, and everybody else's.

import { afterEach, beforeEach, expect, test } from "vitest";
import { ENGINE } from "../../../../runtime/message.ts";
import { said } from "../../../support/sessions/said.ts";
import { engineOnNats, messageOf, operator, until } from "../../../support/nats/on-nats.ts";
import { type NatsServer, natsServer } from "../../../support/nats/server.ts";

let server: NatsServer;

beforeEach(async () => {
  server = await natsServer();
});
afterEach(() => server.dispose());

const limits = { journalBytes: 4_000_000 };
const SUBJECT = "signalbox.v1.in.chat.x.tool.started";

test("TRIMMING-4: a stream that one gateway filled with junk is trimmed, even while a session is open; the others go on", async () => {
  const engine = await engineOnNats({ url: server.url, limits });
  const other = await operator(server.url);
  await (
    await engine.engine.submit(messageOf("never-ended", "m1", said.created("r1")))
  ).settled;
  const junk = Buffer.alloc(200_000, "x");
  let refused = 0;
  for (let n = 0; n < 100; n += 1)
    await other.stream.publish(SUBJECT, junk).catch(() => {
      refused += 1;
    });
  // 100 of them are five times what the stream holds.
  expect(refused).toBeLessThan(100);
  await until("all is read", () => engine.engine.lag().journal === 0);
  const { settled } = await engine.engine.submit(messageOf("s", "m2", said.created("r2")));
  expect((await settled).outcome).toBe("applied");
  const { state } = await other.manager.streams.info("SIGNALBOX_IN");
  expect(state.bytes).toBeLessThan(limits.journalBytes * 0.8);
  expect(state.first_seq).toBeGreaterThan(1);
  expect(engine.engine.journalFull).toBeUndefined();
  expect(engine.fatals).toEqual([]);
  await other.close();
  await engine.stop();
});

test("TRIMMING-6, NATS-JOURNAL-3, LINE-3: while a gateway keeps the stream full, every message of the engine and every event of another is taken", async () => {
  const engine = await engineOnNats({ url: server.url, limits });
  const other = await operator(server.url);
  const junk = Buffer.alloc(20_000, "x");
  let isFlooding = true;
  let refused = 0;
  const flood = Array.from({ length: 64 }, async () => {
    while (isFlooding)
      await other.stream.publish(SUBJECT, junk).catch(() => {
        refused += 1;
      });
  });
  await until("the stream was full", () => refused > 50);
  for (let n = 0; n < 10; n += 1) {
    expect((await engine.engine.own(ENGINE.workspace, ENGINE.session, { type: "tallied" })).outcome).toBe(
      "applied",
    );
    const { settled } = await engine.engine.submit(messageOf(`s${n}`, "m", said.created(`r${n}`)));
    expect((await settled).outcome).toBe("applied");
  }
  isFlooding = false;
  await Promise.all(flood);
  expect(engine.fatals).toEqual([]);
  await other.close();
  await engine.stop();
});
