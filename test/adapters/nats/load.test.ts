// Servers and engines are killed while messages come in: each acknowledged message is applied once.

import { setTimeout as sleep } from "node:timers/promises";
import { writeFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { MemoryDisk } from "../../../adapters/memory/index.ts";
import { said } from "../../support/sessions/said.ts";
import { engineOnNats, messageOf, type OnNats, operator, until } from "../../support/nats/on-nats.ts";
import { type NatsServer, natsServer } from "../../support/nats/server.ts";

let server: NatsServer;

beforeEach(async () => {
  server = await natsServer();
});
afterEach(() => server.dispose());

const SESSIONS = 20;
const subjectOf = (session: string) => `signalbox.v1.in.w.${session}.request.created`;
const created = (id: string) =>
  JSON.stringify({ specversion: "1.0", id, source: "/gateway", data: { requestId: id } });

/** The names an engine acknowledged over HTTP, from a library and over NATS. */
function load(engine: () => OnNats, url: string) {
  const acknowledged = new Map<string, number>();
  const refused: unknown[] = [];
  let going = true;
  const inside = async (line: number): Promise<void> => {
    for (let n = 0; going; n += 1) {
      const name = `own-${line}-${n}`;
      const message = messageOf(`s${line}`, name, said.created(name));
      const taken = engine().engine.submit(message);
      const done = taken.then(
        ({ position }) => acknowledged.set(name, position),
        (error: unknown) => refused.push(error),
      );
      if (n % 8 === 0) await done;
      else await sleep(1);
    }
  };
  const outside = async (line: number): Promise<void> => {
    const other = await operator(url);
    for (let n = 0; going; n += 1) {
      const name = `foreign-${line}-${n}`;
      const { seq } = await untilTaken(() =>
        other.stream.publish(subjectOf(`s${line}`), created(name), { msgID: name, timeout: 500 }),
      );
      acknowledged.set(name, seq);
    }
    await other.close();
  };
  const lines = Array.from({ length: SESSIONS }, (_, n) => (n % 4 === 0 ? outside(n) : inside(n)));
  return {
    acknowledged,
    refused,
    end: async (): Promise<void> => {
      going = false;
      await Promise.all(lines);
    },
  };
}

async function untilTaken<T>(publish: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await publish();
    } catch {
      await sleep(20);
    }
  }
}

/** Every acknowledged name stands at its position, was created once, and nothing taken in is missing. */
async function expectAllOnce(
  acknowledged: ReadonlyMap<string, number>,
  changes: readonly {
    readonly entity: string;
    readonly id: string;
    readonly to: string;
    readonly turn: number;
  }[],
): Promise<void> {
  const born = new Map<string, number[]>();
  for (const { entity, id, to, turn } of changes)
    if (entity === "request" && to === "created") born.set(id, [...(born.get(id) ?? []), turn]);
  for (const [name, position] of acknowledged) expect([name, born.get(name)]).toEqual([name, [position]]);
  const other = await operator(server.url);
  const names = (await other.all("SIGNALBOX_IN")).flatMap(({ subject, data }) =>
    subject.startsWith("signalbox.v1.in.")
      ? [(JSON.parse(Buffer.from(data).toString()) as { id: string }).id]
      : [],
  );
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => !born.has(name))).toEqual([]);
  await other.close();
}

const caughtUp = (engine: OnNats) =>
  until("everything is applied", () => {
    const { journal, outlet, waiting } = engine.engine.lag();
    return journal === 0 && outlet === 0 && waiting === 0;
  });

test("G1, G3: a server killed three times under load loses and doubles nothing acknowledged", async () => {
  const engine = await engineOnNats({ url: server.url });
  const { acknowledged, refused, end } = load(() => engine, server.url);
  for (let round = 0; round < 3; round += 1) {
    await sleep(700);
    await server.kill();
    await sleep(100);
    await server.start();
  }
  await sleep(700);
  await end();
  await caughtUp(engine);
  expect(engine.fatals).toEqual([]);
  expect(acknowledged.size).toBeGreaterThan(500);
  expect(refused.filter((error) => (error as { obligation?: string }).obligation !== "retry")).toEqual([]);
  await expectAllOnce(acknowledged, engine.changes);
  await engine.stop();
});

test("G1, G3, G6: when engine and server die under load, the next engine misses nothing", async () => {
  const disk = new MemoryDisk("store");
  let engine = await engineOnNats({ url: server.url, disk });
  const seen = [...engine.changes];
  const { acknowledged, end } = load(() => engine, server.url);
  for (let round = 0; round < 3; round += 1) {
    await sleep(500);
    const before = engine;
    await before.crash();
    if (round > 0) {
      await server.kill();
      await server.start();
    }
    engine = await engineOnNats({ url: server.url, disk });
    seen.push(...before.changes);
  }
  await sleep(300);
  await end();
  await caughtUp(engine);
  seen.push(...engine.changes);
  expect(acknowledged.size).toBeGreaterThan(200);
  await expectAllOnce(acknowledged, seen);
  await engine.stop();
});

test("G18: while the server is away a message is refused, to be sent again; afterwards all is well", async () => {
  const engine = await engineOnNats({ url: server.url });
  await server.kill();
  const refused = engine.engine.submit(messageOf("s", "m1", said.created("r1")));
  await expect(refused).rejects.toMatchObject({ code: "JOURNAL_UNAVAILABLE", obligation: "retry" });
  await server.start();
  const { settled } = await engine.engine.submit(messageOf("s", "m2", said.created("r2")));
  expect(await settled).toMatchObject({ outcome: "applied" });
  await engine.stop();
});

test("LINE-1: messages handed in at once stand in the stream in their order, even when the server is killed meanwhile", async () => {
  const { engine, link } = await engineOnNats({ url: server.url });
  await engine.stop();
  await link.journal.open(undefined);
  const bodies = Array.from({ length: 3_000 }, (_, n) => JSON.stringify(messageOf("s", `m${n}`)));
  const appended = Promise.all(bodies.map((body) => link.journal.append([body])));
  await sleep(20);
  await server.kill();
  await server.start();
  const positions = (await appended).flat();
  expect(positions).toEqual(positions.toSorted((a, b) => a - b));
  expect(new Set(positions).size).toBe(3_000);
  await link.close();
});

test("JOURNAL-ROOM-2: a full stream takes nothing more and says so; once it has room, it does", async () => {
  const { engine, link } = await engineOnNats({ url: server.url });
  await engine.stop();
  const other = await operator(server.url);
  await other.manager.streams.update("SIGNALBOX_IN", { max_bytes: 100_000 });
  await link.journal.open(undefined);
  const body = JSON.stringify(messageOf("s", "x".repeat(10_000)));
  const taken = await Promise.allSettled(Array.from({ length: 20 }, () => link.journal.append([body])));
  const refusals = taken.flatMap((each) => (each.status === "rejected" ? [each.reason as unknown] : []));
  expect(refusals.length).toBeGreaterThan(5);
  for (const refusal of refusals)
    expect(refusal).toMatchObject({ code: "JOURNAL_FULL", obligation: "retry" });
  await other.manager.streams.update("SIGNALBOX_IN", { max_bytes: 10_000_000 });
  const [position = 0] = await link.journal.append([body]);
  expect(position).toBe(link.journal.tail());
  expect(position).toBeGreaterThan(taken.length - refusals.length);
  await other.close();
  await link.close();
});

test("CONNECT-1: a subject that the server forbids is reported as forbidden at once, not as a server that is away", async () => {
  const dir = await mkdtemp(join(tmpdir(), "signalbox-permissions-"));
  const permissions = 'publish: { deny: ["signalbox.v1.in.forbidden.>"] }';
  await writeFile(
    join(dir, "nats.conf"),
    `authorization { users = [{ user: u, password: p, permissions: { ${permissions} } }] }\n`,
  );
  const guarded = await natsServer(["-c", join(dir, "nats.conf")]);
  try {
    const { engine, link } = await engineOnNats({ url: guarded.url.replace("nats://", "nats://u:p@") });
    const message = { ...messageOf("s", "m"), workspace: "forbidden" as never };
    await expect(engine.submit(message)).rejects.toMatchObject({
      code: "NATS_FORBIDDEN",
      obligation: "give-up",
    });
    const { settled } = await engine.submit(messageOf("s", "m"));
    expect(await settled).toMatchObject({ outcome: "applied" });
    await engine.stop();
    await link.close();
  } finally {
    await guarded.dispose();
    await rm(dir, { recursive: true });
  }
});
