// Owner line: what an owner answers, and what is no answer, over a real server.

import { connect, type NatsConnection } from "nats";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ownerLine, serveOwner } from "../../../adapters/nats/index.ts";
import type { OwnerSaid } from "../../../runtime/cluster/standing.ts";
import { type NatsServer, natsServer } from "../../support/nats/server.ts";
import { until } from "../../support/nats/on-nats.ts";

const OWNER: OwnerSaid = { node: "http://a", term: 1, applied: 7, log: "l", published: 3, posted: 0 };
const NOTHING = { compare: [] };
let server: NatsServer;
let [owner, spare]: NatsConnection[] = [];
const here = (): NatsConnection[] => [owner, spare].filter((each) => each !== undefined);
beforeAll(async () => {
  server = await natsServer();
  [owner, spare] = [await connect({ servers: server.url }), await connect({ servers: server.url })];
});
afterAll(async () => {
  await Promise.all(here().map((each) => each.close()));
  await server.dispose();
});

const ends = (): { readonly owner: NatsConnection; readonly spare: NatsConnection } => {
  if (!owner || !spare) throw new Error("Nothing is connected.");
  return { owner, spare };
};

test("NATS-OWNER-LINE-1: an owner answers while it has something to say, and says when it leaves", async () => {
  const line = ownerLine(
    ends().spare,
    () => true,
    () => "http://b",
  );
  expect(await line.ask(NOTHING)).toBe("nobody");
  let said: OwnerSaid | undefined = OWNER;
  const served = await serveOwner(ends().owner, () => said);
  expect(await line.ask(NOTHING)).toEqual(OWNER);
  said = { ...OWNER, applied: 8 };
  expect(await line.ask(NOTHING)).toEqual(said);
  said = undefined;
  expect(await line.ask(NOTHING)).toBe("nobody");
  let leaves = 0;
  const unlisten = line.onLeaving(() => (leaves += 1));
  await ends().spare.flush();
  await served.stop();
  await until("it was heard", () => leaves === 1);
  unlisten();
  expect(await line.ask(NOTHING)).toBe("nobody");
  expect(
    await ownerLine(
      ends().spare,
      () => false,
      () => "http://b",
    ).ask(NOTHING),
  ).toBe("cut");
});

test("NATS-OWNER-LINE-2: what is none of ours is no answer", async () => {
  const line = ownerLine(
    ends().spare,
    () => true,
    () => "http://b",
  );
  for (const junk of ["", "null", "{}", JSON.stringify({ ...OWNER, term: -1 }), `"${"x".repeat(5_000)}"`]) {
    const forger = ends().owner.subscribe("signalbox.v1.cluster.owner", {
      callback: (_, message) => void message.respond(junk),
    });
    await ends().owner.flush();
    expect(await line.ask(NOTHING)).toBe("nobody");
    forger.unsubscribe();
  }
});

test("NATS-OWNER-LINE-3: an owner is asked to compare, in a question that it checks; one that is none of ours compares nothing", async () => {
  const heard: unknown[] = [];
  const served = await serveOwner(ends().owner, (asked) => {
    heard.push(asked);
    return { ...OWNER, compared: asked.compare.map((stretch) => ({ ...stretch, digest: "d", build: "1" })) };
  });
  const line = ownerLine(
    ends().spare,
    () => true,
    () => "http://b",
  );
  const compare = [{ of: "changes", after: 3, upTo: 9, since: 0 }] as const;
  const differs = { of: "changes", n: 9, position: 4 } as const;
  expect(await line.ask({ compare, differs })).toEqual({
    ...OWNER,
    compared: [{ ...compare[0], digest: "d", build: "1" }],
  });
  for (const junk of ["", "[]", JSON.stringify({ node: "b", compare: Array(3).fill(compare[0]) })])
    await ends().spare.request("signalbox.v1.cluster.owner", junk);
  const nothing = { node: "", compare: [] };
  expect(heard).toEqual([{ node: "http://b", compare, differs }, nothing, nothing, nothing]);
  await served.stop();
});
