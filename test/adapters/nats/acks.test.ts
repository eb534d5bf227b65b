// Acks
// Acknowledgements that are lost, late, doubled, another's or no acknowledgements. A subscriber stands for the stream.

import { setTimeout as sleep } from "node:timers/promises";
import { connect, type Msg, type NatsConnection } from "nats";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ACK_MS, Acks } from "../../../adapters/nats/acks.ts";
import { answered, isNobodyThere } from "../../../adapters/nats/client-errors.ts";
import { ManualClock } from "../../support/engine/manual-clock.ts";
import { configuredServer } from "../../support/nats/configured.ts";
import { operator, until } from "../../support/nats/on-nats.ts";
import { type NatsServer, natsServer } from "../../support/nats/server.ts";

let server: NatsServer;
let ours: NatsConnection;
let other: NatsConnection;
let clock: ManualClock;
let acks: Acks;
/** What came to the stream that the test stands for. */
let came: Msg[];

beforeEach(async () => {
  server = await natsServer();
  ours = await dial(server.url);
  other = await dial(server.url);
  clock = new ManualClock();
  acks = new Acks(ours, clock);
  came = [];
  other.subscribe("test.>", { callback: (_, message) => void came.push(message) });
  await other.flush();
});
afterEach(async () => {
  await ours.close();
  await other.close();
  await server.dispose();
});

const dial = (servers: string): Promise<NatsConnection> =>
  connect({ servers, maxReconnectAttempts: -1, reconnectTimeWait: 50, noAsyncTraces: true });

type Ended = { readonly position: number } | { readonly error: unknown };

/** Sends a message. @returns how that ended so far. */
function send(id: string, by = acks): { readonly ends: readonly Ended[] } {
  const ends: Ended[] = [];
  const message = { stream: "TEST", subject: `test.${id}`, body: "{}", id, headers: [["a", "b"]] as const };
  by.publish(message).then(
    (position) => ends.push({ position }),
    (error: unknown) => ends.push({ error }),
  );
  return { ends };
}

const arrived = (count: number) => until(`${count} arrived`, () => came.length === count);
const ack = (seq: unknown, stream = "TEST", more: object = {}) => JSON.stringify({ stream, seq, ...more });
const ended = (sent: ReturnType<typeof send>) => until("it has ended", () => sent.ends.length > 0);

/** Whatever was sent to us so far has been dealt with. */
async function settled(): Promise<void> {
  await other.flush();
  await ours.flush();
  await sleep(0);
}

test("ACKS-1, ACKS-2: each of many messages gets its own position, however their acknowledgements are mixed", async () => {
  const sent = Array.from({ length: 300 }, (_, n) => send(`m${n}`));
  await arrived(300);
  for (const [n, message] of [...came.entries()].reverse()) message.respond(ack(n + 1));
  await until("all have ended", () => sent.every(({ ends }) => ends.length > 0));
  expect(sent.map(({ ends }) => ends)).toEqual(sent.map((_, n) => [{ position: n + 1 }]));
  expect(came[0]?.headers?.get("Nats-Msg-Id")).toBe("m0");
  expect(came[0]?.headers?.get("Nats-Expected-Stream")).toBe("TEST");
  expect(came[0]?.headers?.get("a")).toBe("b");
});

test("ACKS-3, ACKS-1: a lost acknowledgement ends its own wait in time; the same one, late, changes nothing", async () => {
  const [lost, kept] = [send("lost"), send("kept")];
  await arrived(2);
  came[1]?.respond(ack(2));
  await ended(kept);
  clock.advance(ACK_MS - 1);
  const later = send("later");
  await arrived(3);
  expect(lost.ends).toEqual([]);
  clock.advance(1);
  await ended(lost);
  expect(lost.ends).toMatchObject([{ error: { code: "TIMEOUT" } }]);
  came[0]?.respond(ack(1));
  await settled();
  expect([lost.ends.length, kept.ends, later.ends]).toEqual([1, [{ position: 2 }], []]);
  clock.advance(ACK_MS);
  await ended(later);
  expect(later.ends).toMatchObject([{ error: { code: "TIMEOUT" } }]);
});

test("ACKS-1: a doubled acknowledgement counts once, and never for the next message", async () => {
  const first = send("first");
  await arrived(1);
  came[0]?.respond(ack(1));
  came[0]?.respond(ack(9));
  const second = send("second");
  await arrived(2);
  came[0]?.respond(ack(8));
  await settled();
  expect([first.ends, second.ends]).toEqual([[{ position: 1 }], []]);
  came[1]?.respond(ack(2, "TEST", { duplicate: true }));
  await ended(second);
  expect(second.ends).toEqual([{ position: 2 }]);
});

test("ACKS-1: what else comes into the inbox changes nothing", async () => {
  const sent = send("sent");
  await arrived(1);
  const inbox = came[0]?.reply?.replace(/\.[^.]+$/, "") ?? "";
  for (const token of ["0", "2", "99", "01", "__proto__"]) other.publish(`${inbox}.${token}`, ack(7));
  await settled();
  expect(sent.ends).toEqual([]);
  came[0]?.respond(ack(1));
  await ended(sent);
  expect(sent.ends).toEqual([{ position: 1 }]);
});

test.each([
  ["of another stream", ack(1, "OTHER")],
  ["without a position", ack(undefined)],
  ["with a position that is none", ack(0)],
  ["with a position as text", ack("1")],
  ["that is nothing", ""],
  ["that is no JSON", "+OK"],
  ["that is null", "null"],
  ["that is a list", "[1]"],
  ["with an error that says nothing", ack(1, "OTHER", { error: true })],
])("ACKS-2: an acknowledgement %s is a failure, and no refusal", async (_, text) => {
  const sent = send("sent");
  await arrived(1);
  came[0]?.respond(text);
  await ended(sent);
  expect(sent.ends).toMatchObject([{ error: { code: "JESTREAM_INVALID_ACK" } }]);
  expect(sent.ends.map((end) => "error" in end && answered(end.error))).toEqual([undefined]);
});

test.each([
  [10077, 503, "full", "maximum messages exceeded"],
  [10054, 400, "too-large", "message size exceeds maximum allowed"],
  [10060, 400, "wrong-stream", "expected stream does not match"],
  [10074, 503, undefined, "no suitable peers for placement"],
])(
  "ACKS-2: the error %i of a stream is told as such, also with a position",
  async (err_code, code, means, text) => {
    const sent = send("sent");
    await arrived(1);
    came[0]?.respond(ack(5, "TEST", { error: { code, err_code, description: text } }));
    await ended(sent);
    expect(sent.ends).toMatchObject([{ error: { message: text } }]);
    for (const end of sent.ends)
      expect("error" in end && [answered(end.error), isNobodyThere(end.error)]).toEqual([means, false]);
  },
);

test("ACKS-2: where no stream is, the server says at once that nobody takes it", async () => {
  // The server has heard that it left: closed alone, it may be handed one more message.
  await other.drain();
  const sent = send("sent");
  await ended(sent);
  expect(sent.ends.map((end) => "error" in end && isNobodyThere(end.error))).toEqual([true]);
});

test("ACKS-1, ACKS-3: after a reconnect the same inbox goes on, and what was in flight ends in time", async () => {
  const before = send("before");
  await arrived(1);
  await server.kill();
  await server.start();
  const isBack = (connection: NatsConnection) =>
    connection.flush().then(
      () => true,
      () => false,
    );
  await until("both are back", async () => (await isBack(ours)) && isBack(other));
  const after = send("after");
  await arrived(2);
  came[1]?.respond(ack(2));
  await ended(after);
  expect([before.ends, after.ends]).toEqual([[], [{ position: 2 }]]);
  came[0]?.respond(ack(1));
  const again = send("again");
  await arrived(3);
  clock.advance(ACK_MS);
  await ended(again);
  expect(before.ends).toEqual([{ position: 1 }]);
  expect(again.ends).toMatchObject([{ error: { code: "TIMEOUT" } }]);
});

test("ACKS-3: closing the connection ends every wait at once, and a message after it fails", async () => {
  const sent = [send("one"), send("two")];
  await arrived(2);
  await ours.close();
  await Promise.all(sent.map(ended));
  const after = send("after");
  await ended(after);
  for (const { ends } of [...sent, after])
    expect(ends).toMatchObject([{ error: { code: "CONNECTION_CLOSED" } }]);
});

test("ACKS-3: what the server forbids to publish, or to hear, ends at once as forbidden", async () => {
  const fenced = await configuredServer(
    'authorization { users = [ { user: "eng", password: "p", permissions: { publish: { deny: "test.no" } } }' +
      ', { user: "deaf", password: "p", permissions: { subscribe: { deny: "_INBOX.>" } } } ] }',
  );
  const connections = await Promise.all(
    ["eng", "deaf"].map((user) => connect({ servers: fenced.url, user, pass: "p" })),
  );
  try {
    const [eng, deaf] = connections.map((connection) => new Acks(connection, clock));
    if (!eng || !deaf) throw new Error("not connected");
    const [no, yes, unheard] = [send("no", eng), send("yes", eng), send("unheard", deaf)];
    await Promise.all([no, yes, unheard].map(ended));
    expect([no, unheard].map(({ ends: [end] }) => end && "error" in end && answered(end.error))).toEqual([
      "forbidden",
      "forbidden",
    ]);
    expect(yes.ends.map((end) => "error" in end && isNobodyThere(end.error))).toEqual([true]);
  } finally {
    for (const connection of connections) await connection.close();
    await fenced.dispose();
  }
});

test("ACKS-1, ACKS-2: a stream of the server takes each message once, under its id, and says at which position", async () => {
  const { manager, close } = await operator(server.url);
  await manager.streams.add({ name: "REAL", subjects: ["real.>"] });
  const put = (id: string, subject = "real.a") =>
    acks.publish({ stream: "REAL", subject, body: "{}", id, headers: [] });
  expect(await Promise.all([put("a"), put("b"), put("a"), put("c")])).toEqual([1, 2, 1, 3]);
  const wrong = await acks
    .publish({ stream: "ELSE", subject: "real.a", body: "{}", id: "d", headers: [] })
    .catch((error: unknown) => answered(error));
  expect(wrong).toBe("wrong-stream");
  await close();
});
