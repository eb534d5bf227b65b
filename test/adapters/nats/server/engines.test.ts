// Two engines on one stream, each with its own store.

import { afterAll, beforeAll, expect, test } from "vitest";
import { MemoryDisk } from "../../../../adapters/memory/index.ts";
import { said } from "../../../support/sessions/said.ts";
import { rowsOf } from "../../../support/engine/rig.ts";
import { engineOnNats, messageOf, type OnNats, operator, until } from "../../../support/nats/on-nats.ts";
import { type NatsServer, natsServer } from "../../../support/nats/server.ts";
import { clients } from "../../../../adapters/composition/clients.ts";

let server: NatsServer;
beforeAll(async () => {
  server = await natsServer();
});
afterAll(() => server.dispose());

const caughtUp = (...engines: readonly OnNats[]) =>
  until("everything is applied", () =>
    engines.every(({ engine }) => {
      const { journal, outlet } = engine.lag();
      return journal === 0 && outlet === 0;
    }),
  );

test("G4: with the same key they publish the same: each change stands in the stream once, each session's in order", async () => {
  const first = await engineOnNats({ url: server.url, disk: new MemoryDisk("one") });
  const second = await engineOnNats({ url: server.url, disk: new MemoryDisk("two") });
  for (let n = 0; n < 300; n += 1) {
    const { engine } = n % 2 === 0 ? first : second;
    await engine.submit(messageOf(`s${n % 7}`, `m${n}`, said.created(`r${n}`)));
  }
  await caughtUp(first, second);
  const [one, two] = [first, second].map(({ disk }) => [...rowsOf(disk, "actor/")]);
  expect(one).toHaveLength(307);
  expect(one).toEqual(two);

  const other = await operator(server.url);
  const ids = (await other.all("SIGNALBOX_STATE")).map(({ headers }) => headers?.get("Nats-Msg-Id") ?? "");
  expect(ids).toHaveLength(first.changes.length);
  const versions = new Map<string, number>();
  for (const id of ids) {
    const [session = "", version] = id.split(":");
    expect([id, Number(version)]).toEqual([id, (versions.get(session) ?? 0) + 1]);
    versions.set(session, Number(version));
  }
  await other.close();
  await first.stop();
  await second.stop();
});

test("NATS-WIRE-3: with another key, the other engine's messages become dead letters, and both go on", async () => {
  const mine = await engineOnNats({ url: server.url });
  const stranger = await engineOnNats({
    url: server.url,
    disk: new MemoryDisk("stranger"),
    clients,
    sealKey: new Uint8Array(32).fill(9),
  });
  await caughtUp(mine, stranger);
  const before = mine.engine.meta().deads;
  await (
    await stranger.engine.submit(messageOf("theirs", "t1", said.created("rt1")))
  ).settled;
  await stranger.engine.own("w" as never, "theirs" as never, { type: "process.gone" } as never);
  const { settled } = await mine.engine.submit(messageOf("mine", "t2", said.created("rt2")));
  expect(await settled).toMatchObject({ outcome: "applied" });
  await caughtUp(mine, stranger);
  expect(mine.engine.meta().deads).toBe(before + 2);
  expect([...rowsOf(mine.disk, "actor/w/theirs")]).toEqual([]);
  const letters = [...rowsOf(mine.disk, "dead/").values()]
    .slice(-2)
    .map((text) => JSON.parse(text) as object);
  expect(letters).toMatchObject([
    { code: "NOT_AUTHORISED", subject: "signalbox.v1.in.w.theirs.test.inputs" },
    { code: "NOT_AUTHORISED", subject: "signalbox.v1.own.w.theirs.process-gone" },
  ]);
  await mine.stop();
  await stranger.stop();
});

test("FOREIGN-2: forged decisions and junk on every subject become dead letters, and the engine goes on", async () => {
  const engine = await engineOnNats({ url: server.url });
  const other = await operator(server.url);
  await caughtUp(engine);
  const { deads, position } = engine.engine.meta();
  const decision = {
    door: "own",
    workspace: "w",
    session: "s",
    said: { type: "decision", decision: "approve" },
  };
  for (const subject of ["own.w.s.decision", "in.w.s.tool.started", "own.x", "in.w.s", "in.*.s.a.b"]) {
    await other.stream.publish(`signalbox.v1.${subject}`, JSON.stringify(decision));
    await other.stream.publish(`signalbox.v1.${subject}`, new Uint8Array([0xff, 0x00, 0x80]));
  }
  await other.stream.publish("signalbox.v1.in.w.s.tool.started", "x".repeat(1_000_000));
  const { settled } = await engine.engine.submit(messageOf("after", "a1", said.created("ra1")));
  expect(await settled).toMatchObject({ outcome: "applied", position: position + 12 });
  expect(engine.engine.meta().deads).toBe(deads + 11);
  expect(engine.fatals).toEqual([]);
  await other.close();
  await engine.stop();
});
