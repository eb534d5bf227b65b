// Recordings, on NATS
// Recorded sessions of the real client with JetStream as the journal, checked against what the recordings prove.
//
//   Owns:          the recordings on a server's journal, sent by the engine's own doors and by services.
//   Does not own:  every order and every kind of file (recordings), the wire itself (wire).

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MemoryDisk } from "../../../adapters/memory/index.ts";
import type { SourceMessage } from "../../../runtime/message.ts";
import { type NatsAccounts, natsAccounts } from "../../support/nats/accounts.ts";
import { engineOnNats, type OnNats, operator, until } from "../../support/nats/on-nats.ts";
import type { Kind } from "../../support/oracle/oracle.ts";
import { asItHappened, messages, type Part, play, playedCalls } from "../../support/sessions/play.ts";
import { expectProven } from "../../support/oracle/proven.ts";
import { allRecordings, type Recording } from "../../support/sessions/recording.ts";
import { rowsOf } from "../../support/engine/rig.ts";

const all = allRecordings();
const RUNS_EACH = 5;
let server: NatsAccounts;
beforeAll(async () => {
  server = await natsAccounts(all.length * RUNS_EACH);
});
afterAll(() => server.dispose());

/** Drops the times that the server sets. */
const clock = { advance: () => undefined };

async function start(url: string, disk = new MemoryDisk("store")) {
  const defects: unknown[] = [];
  const running = await engineOnNats({ url, disk, onDefect: (error) => defects.push(error) });
  return {
    ...running,
    async stop() {
      await until("everything is published", () => running.engine.lag().outlet === 0);
      await running.stop();
      expect([defects, running.fatals]).toEqual([[], []]);
    },
  };
}

/** As a service does it, with nothing but the client of NATS. @returns the position of the last one. */
async function publish(url: string, list: readonly SourceMessage[]): Promise<number> {
  const { connection, stream } = await operator(url);
  let last = 0;
  for (const { workspace, session, type, source, id, data } of list) {
    const body = JSON.stringify({ specversion: "1.0", id, source, data });
    const msgID = `${session}:${source}:${id}`;
    const { seq } = await stream.publish(`signalbox.v1.in.${workspace}.${session}.${type}`, body, { msgID });
    last = seq;
  }
  await connection.close();
  return last;
}

/** The stream of changes holds what the engine told its listeners, each once, in order. */
async function expectPublished(url: string, { changes }: OnNats): Promise<void> {
  const other = await operator(url);
  const ids = (await other.all("SIGNALBOX_STATE")).map(({ headers }) => headers?.get("Nats-Msg-Id") ?? "");
  await other.close();
  const told = changes.map(({ workspace, sessionId, version }) => `${workspace}/${sessionId}:${version}`);
  expect(bySession(ids)).toEqual(bySession(told));
}

/** The ids of each session, in the order they came. */
const bySession = (ids: readonly string[]): ReadonlyMap<string, readonly string[]> =>
  ids.reduce((found, id) => {
    const session = id.slice(0, id.lastIndexOf(":"));
    return found.set(session, [...(found.get(session) ?? []), id]);
  }, new Map<string, readonly string[]>());

const whole = (recording: Recording): readonly SourceMessage[] => [
  ...asItHappened(recording),
  ...messages(recording, ["transcript"]),
];

const PARTS: readonly (readonly [readonly Part[], Kind])[] = [
  [["hooks"], "hooks"],
  [["stream"], "stream"],
  [["transcript"], "transcript"],
  [["hooks", "stream", "transcript"], "all"],
];

describe.each(all.map((recording) => [recording.name, recording] as const))("%s", (_, recording) => {
  test("C1–C5, I-21, G10: played live, then from the transcript, each call ends as the recording proves; a repeat changes nothing; the journal alone gives the same", async () => {
    const url = server.next();
    const list = whole(recording);
    const running = await start(url);
    await play(running.engine, clock, list);
    expectProven(playedCalls(running.engine), recording, "all");
    const before = running.engine.meta().changes;
    const again = await play(running.engine, clock, list);
    expect(again.filter(({ outcome }) => outcome !== "duplicate" && outcome !== "dead")).toEqual([]);
    expect(running.engine.meta().changes).toBe(before);
    await running.stop();
    await expectPublished(url, running);

    const fresh = await start(url);
    await fresh.stop();
    expect(rowsOf(fresh.disk, "actor/")).toEqual(rowsOf(running.disk, "actor/"));
  });

  test.each(PARTS.map(([parts, kind]) => [parts.join(" > "), parts, kind] as const))(
    "C1–C5, FOREIGN-1: %s, published by a service, leave each call as they prove it",
    async (_title, parts, kind) => {
      const url = server.next();
      const running = await start(url);
      const last = await publish(url, messages(recording, parts));
      await until("all is applied", () => running.engine.meta().position >= last);
      expectProven(playedCalls(running.engine), recording, kind);
      await running.stop();
    },
  );
});
