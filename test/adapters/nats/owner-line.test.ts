// Owner line: what an owner answers, and what is no answer, over a real server.

import { connect, headers, type NatsConnection } from "nats";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ownerLine, serveOwner } from "../../../adapters/nats/index.ts";
import type { OwnerSaid } from "../../../runtime/cluster/standing.ts";
import { headOf, rawClient } from "../../support/nats/raw.ts";
import { type NatsServer, natsServer } from "../../support/nats/server.ts";
import { until } from "../../support/nats/on-nats.ts";

const OWNER: OwnerSaid = { node: "http://a", term: 1, applied: 7, log: "l", published: 3, posted: 0 };
const HEARD = { ...OWNER, isProven: true };
const NOTHING = { compare: [] };
const KEY = new Uint8Array(32).fill(5);
const lineOf = (connection: NatsConnection, isHere = true, sealKey = KEY) =>
  ownerLine(connection, { isHere: () => isHere, node: () => "http://b", sealKey });
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
  const line = lineOf(ends().spare);
  expect(await line.ask(NOTHING)).toBe("nobody");
  let said: OwnerSaid | undefined = OWNER;
  const served = await serveOwner(ends().owner, KEY, () => said);
  expect(await line.ask(NOTHING)).toEqual(HEARD);
  said = { ...OWNER, applied: 8 };
  expect(await line.ask(NOTHING)).toEqual({ ...said, isProven: true });
  said = undefined;
  expect(await line.ask(NOTHING)).toBe("nobody");
  let leaves = 0;
  const unlisten = line.onLeaving(() => (leaves += 1));
  await ends().spare.flush();
  await served.stop();
  await until("it was heard", () => leaves === 1);
  unlisten();
  expect(await line.ask(NOTHING)).toBe("nobody");
  expect(await lineOf(ends().spare, false).ask(NOTHING)).toBe("cut");
});

test("NATS-OWNER-LINE-2: what is none of ours is no answer", async () => {
  const line = lineOf(ends().spare);
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
  const served = await serveOwner(ends().owner, KEY, (asked) => {
    heard.push(asked);
    return { ...OWNER, compared: asked.compare.map((stretch) => ({ ...stretch, digest: "d", build: "1" })) };
  });
  const line = lineOf(ends().spare);
  const compare = [{ of: "changes", after: 3, upTo: 9, since: 0 }] as const;
  const differs = { of: "changes", n: 9, position: 4 } as const;
  expect(await line.ask({ compare, differs })).toEqual({
    ...HEARD,
    compared: [{ ...compare[0], digest: "d", build: "1" }],
  });
  for (const junk of ["", "[]", JSON.stringify({ node: "b", compare: Array(3).fill(compare[0]) })])
    await ends().spare.request("signalbox.v1.cluster.owner", junk);
  const nothing = { node: "", compare: [] };
  expect(heard).toEqual([{ node: "http://b", compare, differs }, nothing, nothing, nothing]);
  await served.stop();
});

test("NATS-OWNER-LINE-4: without the journal's key a question says nothing, and an answer only that somebody is there", async () => {
  const heard: unknown[] = [];
  const served = await serveOwner(ends().owner, KEY, (asked) => {
    heard.push(asked);
    return OWNER;
  });
  const other = new Uint8Array(32).fill(6);
  const stranger = lineOf(ends().spare, true, other);
  expect(await stranger.ask({ compare: [], holds: 7 })).toEqual({ ...OWNER, isProven: false });
  expect(heard).toEqual([{ node: "", compare: [] }]);
  await served.stop();

  // An answer to another question, sent again, and a question that is sent back as its own answer.
  const kept: { data: Uint8Array; seal: string }[] = [];
  const line = lineOf(ends().spare);
  const real = await serveOwner(ends().owner, KEY, () => OWNER);
  const watch = ends().spare.subscribe("_INBOX.>", {
    callback: (_, { data, headers }) =>
      void kept.push({ data: data.slice(), seal: headers?.get("Signalbox-Seal") ?? "" }),
  });
  expect(await line.ask(NOTHING)).toEqual(HEARD);
  await until("the answer was copied", () => kept.length > 0);
  watch.unsubscribe();
  await real.stop();
  for (const replay of ["answer", "question"] as const) {
    const liar = ends().owner.subscribe("signalbox.v1.cluster.owner", {
      callback: (_, message) => {
        const [one] = kept;
        const again = headers();
        again.set(
          "Signalbox-Seal",
          replay === "answer" ? (one?.seal ?? "") : (message.headers?.get("Signalbox-Seal") ?? ""),
        );
        message.respond(one?.data ?? new Uint8Array(), { headers: again });
      },
    });
    await ends().owner.flush();
    expect(await line.ask(NOTHING)).toEqual({ ...OWNER, isProven: false });
    liar.unsubscribe();
  }
});

test("NATS-HEADERS-2: an owner that is sent malformed headers goes on", async () => {
  const served = await serveOwner(ends().owner, KEY, () => OWNER);
  const raw = await rawClient(server.port);
  await raw.send("signalbox.v1.cluster.owner", headOf("a b: c"));
  raw.close();
  expect(await lineOf(ends().spare).ask(NOTHING)).toEqual(HEARD);
  await served.stop();
});
