// Changes that cannot leave as they are: this is told, and holds up nobody else.

import { afterEach, expect, test } from "vitest";
import type { SessionId, WorkspaceId } from "../../../machines/index.ts";
import type { Trouble } from "../../../runtime/errors/trouble.ts";
import { keys } from "../../../runtime/rows/keys.ts";
import { configuredServer } from "../../support/nats/configured.ts";
import { engineOnNats, messageOf, type OnNats, operator, until } from "../../support/nats/on-nats.ts";
import { type NatsServer, natsServer } from "../../support/nats/server.ts";
import { call, said } from "../../support/sessions/said.ts";

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function serving(server: NatsServer, user = "") {
  ends.push(() => server.dispose());
  const url = server.url.replace("//", `//${user}`);
  const started = await engineOnNats({ url });
  ends.push(() => started.stop());
  const other = await operator(url.replace("eng:", "op:"));
  ends.push(() => other.close());
  return { started, other };
}

/** A request, in a workspace. */
async function created({ engine }: OnNats, id: string, workspace = "w", session = `s-${id}`): Promise<void> {
  const message = messageOf(session, id, said.created(id));
  const where = { workspace: workspace as WorkspaceId, session: session as SessionId };
  await (
    await engine.submit({ ...message, ...where })
  ).settled;
}

const codes = ({ engine }: OnNats): readonly string[] => engine.troubles().map(({ code }: Trouble) => code);
const heldOf = ({ engine }: OnNats): string =>
  engine.troubles().find(({ code }) => code === "CHANGES_HELD")?.message ?? "";
const left = (started: OnNats) =>
  until("everything has left", () => {
    const { engine } = started;
    const posted = Number(engine.store.get(keys.posted) ?? 0);
    return engine.lag().outlet === 0 && posted === engine.meta().deads;
  });

test("NATS-OUTLET-1: deleted streams are made again with their settings; later changes and letters stand there, and the loss is told", async () => {
  const { started, other } = await serving(await natsServer());
  await created(started, "r1");
  await left(started);
  const before = await other.manager.streams.info("SIGNALBOX_STATE");
  await other.manager.streams.delete("SIGNALBOX_STATE");
  await other.manager.streams.delete("SIGNALBOX_DLQ");
  const gone = started.changes.length;
  // A few hundred are in flight; each finds the stream gone.
  await Promise.all(Array.from({ length: 200 }, (_, n) => created(started, `n${n}`)));
  const refused = { ...messageOf("s1", "bad"), type: "test.refused" };
  await (
    await started.engine.submit(refused)
  ).settled;
  await left(started);

  const { config } = await other.manager.streams.info("SIGNALBOX_STATE");
  expect(config).toEqual(before.config);
  const found = await other.all("SIGNALBOX_STATE");
  expect(found.map(({ headers }) => headers?.get("Nats-Msg-Id")).sort()).toEqual(
    started.changes
      .slice(gone)
      .map(({ workspace, sessionId, version }) => `${workspace}/${sessionId}:${version}`)
      .sort(),
  );
  expect((await other.all("SIGNALBOX_DLQ")).map(({ subject }) => subject)).toEqual([
    "signalbox.v1.dlq.bad-shape",
  ]);
  expect(codes(started)).toEqual(["STREAM_MADE_AGAIN", "STREAM_MADE_AGAIN"]);
  expect(started.engine.troubles().map(({ message }) => message)).toEqual([
    expect.stringContaining("SIGNALBOX_STATE") as string,
    expect.stringContaining("SIGNALBOX_DLQ") as string,
  ]);
});

test("OUTLET-PUBLISHER-2: a change above the server's max_payload leaves shortened, and its session's versions have no hole", async () => {
  const { started, other } = await serving(await configuredServer("max_payload: 16384"));
  const input = { x: "y".repeat(15_600) };
  await (
    await started.engine.submit(messageOf("s1", "m1", said.created("r1")))
  ).settled;
  await (
    await started.engine.submit(messageOf("s1", "m2", said.pre(call("c1", "Read", input))))
  ).settled;
  await created(started, "r2");
  await left(started);
  const bodies = (await other.all("SIGNALBOX_STATE")).map((found) => found.json<Record<string, unknown>>());
  const versions = bodies.filter(({ sessionId }) => sessionId === "s1").map(({ version }) => version);
  expect(versions).toEqual(versions.map((_, n) => n + 1));
  expect(versions).toHaveLength(started.changes.filter(({ sessionId }) => sessionId === "s1").length);
  const short = bodies.filter(({ cut }) => cut !== undefined);
  expect(short.map(({ id, cut }) => [id, cut])).toContainEqual(["c1", ["view.input"]]);
  expect(codes(started)).toEqual([]);
});

test("OUTBOX-3: if the server forbids one workspace's subjects, only its sessions are held back; it is told, and they go on once allowed", async () => {
  const users = (deny: string): string =>
    `authorization { users = [
      { user: eng, password: p, permissions: { publish: { allow: ">", deny: [${deny}] }, subscribe: ">" } }
      { user: op, password: p }
    ] }`;
  const server = await configuredServer(users('"signalbox.v1.state.closed.>"'));
  const { started, other } = await serving(server, "eng:p@");
  await created(started, "r1", "closed");
  await created(started, "r2", "open");
  await created(started, "r3", "closed");
  await until("the other's have left", async () =>
    (await other.all("SIGNALBOX_STATE")).some(({ subject }) => subject.includes(".open.s-r2.request.r2.")),
  );
  await created(started, "r4", "open");
  await until("both are held", () => heldOf(started).includes("of 2 sessions"));
  expect((await other.all("SIGNALBOX_STATE")).some(({ subject }) => subject.includes(".closed."))).toBe(
    false,
  );
  expect(started.engine.troubles()).toMatchObject([
    { code: "CHANGES_HELD", next: expect.stringContaining("permissions") as string, isEssential: false },
  ]);
  expect(JSON.stringify(started.engine.troubles())).not.toContain("s-r1");
  await server.configure(users(""));
  await left(started);
  expect(codes(started)).toEqual([]);
  const of = (await other.all("SIGNALBOX_STATE")).filter(({ subject }) => subject.includes(".closed.s-r1."));
  expect(of.map(({ headers }) => headers?.get("Nats-Msg-Id"))).toEqual(
    of.map((_, n) => `closed/s-r1:${n + 1}`),
  );
});

test("OUTLET-PUBLISHER-3: while another stream has the subjects nothing leaves; that is told as essential with what to do, until it is gone", async () => {
  const { started, other } = await serving(await natsServer());
  await other.manager.streams.delete("SIGNALBOX_STATE");
  await other.manager.streams.add({ name: "THEIRS", subjects: ["signalbox.v1.state.>"] });
  await created(started, "r1");
  await until("it is told", () => codes(started).length > 0);
  expect(started.engine.troubles()).toMatchObject([
    {
      code: "CHANGES_STUCK",
      isEssential: true,
      message: expect.stringMatching(/STREAM_DIFFERS.*\d wait/) as string,
      next: expect.stringContaining("nats stream ls") as string,
    },
  ]);
  await other.manager.streams.delete("THEIRS");
  await left(started);
  expect(codes(started)).toEqual(["STREAM_MADE_AGAIN"]);
});
