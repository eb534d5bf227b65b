// Tunnels
// Two machines on a real server: how many connections one takes, and what the other learns where there is none.

import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import { connect, type NatsConnection } from "nats";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Tunnels } from "../../../../adapters/nats/tunnel/tunnels.ts";
import { systemClock } from "../../../../adapters/system/index.ts";
import { ManualClock } from "../../../support/engine/manual-clock.ts";
import { configuredServer } from "../../../support/nats/configured.ts";
import { headOf, rawClient } from "../../../support/nats/raw.ts";
import { type NatsServer, natsServer } from "../../../support/nats/server.ts";

let server: NatsServer;
let connection: NatsConnection;
let engine: Server;
let [hub, laptop]: Tunnels[] = [];

beforeEach(async () => {
  server = await natsServer();
  connection = await connect({ servers: server.url });
  // It says each word twice.
  engine = createServer((socket) => socket.on("data", (word) => socket.write(Buffer.concat([word, word]))));
  engine.listen(0, "127.0.0.1");
  await once(engine, "listening");
  [hub, laptop] = ["hub", "laptop"].map(
    (name) => new Tunnels(connection, name, systemClock(), () => undefined),
  );
});
afterEach(async () => {
  hub?.close();
  laptop?.close();
  await connection.close();
  engine.close();
  await server.dispose();
});

/** A machine that sleeps: the server has its subscription, and nobody answers. @returns the requests that it will hear. */
function asleep(name: string) {
  const replies: string[] = [];
  const subscription = connection.subscribe(`signalbox.v1.machine.${name}.open`, {
    callback: (_, { reply }) => void replies.push(reply ?? ""),
  });
  return { replies, wake: () => subscription.unsubscribe() };
}

const portOf = (): number => (engine.address() as AddressInfo).port;

it("TUNNELS-2: a machine takes 64 connections and no more, until one of them ends", async () => {
  laptop?.listen(portOf());
  const dial = async () => hub?.dial("laptop");
  const open = await Promise.all(Array.from({ length: 64 }, dial));
  await expect(dial()).rejects.toMatchObject({ code: "MACHINE_AWAY" });
  open[0]?.socket.destroy();
  await expect
    .poll(() =>
      dial().then(
        () => "open",
        () => "full",
      ),
    )
    .toBe("open");
  const [, last] = open;
  last?.socket.write("hm");
  const [said] = (await once(last?.socket ?? engine, "data")) as [Buffer];
  expect([said.toString(), last?.port]).toEqual(["hmhm", portOf()]);
});

it("TUNNELS-3: a machine that has not joined, and one whose engine does not listen yet, is away", async () => {
  await expect(hub?.dial("nobody")).rejects.toMatchObject({ code: "MACHINE_AWAY" });
  await expect(hub?.dial("laptop")).rejects.toMatchObject({ code: "MACHINE_AWAY" });
});

it("TUNNELS-3: whoever gives up does not wait for a machine that sleeps", async () => {
  const { replies } = asleep("sleeper");
  // Its time never passes.
  const dialler = new Tunnels(connection, "dialler", new ManualClock(), () => undefined);
  const late = new AbortController();
  const dialled = dialler.dial("sleeper", late.signal);
  await expect.poll(() => replies.length).toBe(1);
  late.abort();
  await expect(dialled).rejects.toMatchObject({ code: "MACHINE_AWAY" });
  await expect(dialler.dial("sleeper", late.signal)).rejects.toMatchObject({ code: "MACHINE_AWAY" });
  expect(replies).toHaveLength(1);
});

it("TUNNELS-4: a machine that wakes takes new connections at once, though it opens those that were given up", async () => {
  const { replies, wake } = asleep("sleeper");
  const late = Array.from({ length: 64 }, () => new AbortController());
  const given = late.map(async ({ signal }) => hub?.dial("sleeper", signal));
  await expect.poll(() => replies.length).toBe(64);
  for (const each of late) each.abort();
  await Promise.all(given.map((each) => expect(each).rejects.toMatchObject({ code: "MACHINE_AWAY" })));
  wake();
  const sleeper = new Tunnels(connection, "sleeper", systemClock(), () => undefined);
  sleeper.listen(portOf());
  const open = "signalbox.v1.machine.sleeper.open";
  for (const reply of replies) connection.publish(open, undefined, { reply });
  const dial = () =>
    hub?.dial("sleeper").then(
      ({ socket }) => {
        socket.destroy();
        return "open";
      },
      () => "full",
    );
  await expect.poll(dial, { timeout: 5_000 }).toBe("open");
  await expect.poll(() => new Promise((got) => engine.getConnections((_, count) => got(count)))).toBe(0);
});

it("TUNNELS-4: a machine that this one does not dial is told nothing, whatever it sends", async () => {
  await hub?.dial("dialled").catch(() => undefined);
  const told: string[] = [];
  for (const name of ["dialled", "other"])
    connection.subscribe(`signalbox.v1.machine.${name}.>`, {
      callback: (_, { subject, data }) => void told.push(`${subject} ${data.length}`),
    });
  const send = (reply: string, bytes = "some bytes"): void =>
    connection.publish("signalbox.v1.machine.hub.gone", bytes, { reply });
  send("signalbox.v1.machine.other.end.ack");
  send("signalbox.v1.machine.dialled.end");
  send("signalbox.v1.notice.recovered");
  send("signalbox.v1.machine.dialled.end.ack", "");
  send("signalbox.v1.machine.dialled.last.ack");
  await expect.poll(() => told).toEqual(["signalbox.v1.machine.dialled.last 0"]);
});

it("NATS-HEADERS-2: a machine that gets a message with malformed headers goes on", async () => {
  laptop?.listen(portOf());
  const raw = await rawClient(server.port);
  for (const part of ["x", "x.ack", "open"])
    await raw.send(`signalbox.v1.machine.hub.${part}`, headOf("a b: c"));
  raw.close();
  const dialled = await hub?.dial("laptop");
  dialled?.socket.write("hm");
  const [said] = (await once(dialled?.socket ?? engine, "data")) as [Buffer];
  expect(said.toString()).toBe("hmhm");
});

it("TUNNEL-CARRIED-3: if the server takes too short messages only, the connection ends, and the error names the setting", async () => {
  const strict = await configuredServer("max_payload: 1000");
  const there = await connect({ servers: strict.url });
  const refusals: Error[] = [];
  const [near, far] = ["near", "far"].map(
    (name) => new Tunnels(there, name, systemClock(), (error) => refusals.push(error)),
  );
  far?.listen(portOf());
  const { socket } = (await near?.dial("far")) ?? {};
  const failed = new Promise((resolve) => socket?.once("error", resolve));
  socket?.write("a".repeat(2_000));
  expect(await failed).toMatchObject({
    code: "TOO_LARGE",
    next: expect.stringContaining("max_payload") as string,
  });
  expect(refusals).toHaveLength(1);
  // The far end says each word twice, so its own message is the one that is too long.
  const again = (await near?.dial("far"))?.socket;
  const ended = new Promise((resolve) => again?.once("close", resolve));
  again?.resume().write("a".repeat(600));
  await ended;
  expect(refusals).toHaveLength(2);
  await there.close();
  await strict.dispose();
});

it("TUNNEL-CARRIED-2: a machine that sends before anybody listens ends its connection, and not the process", async () => {
  let sendToo: () => void = () => undefined;
  connection.subscribe("signalbox.v1.machine.rude.open", {
    callback: (_, { reply = "" }) => {
      connection.publish(reply, `{"end":"x","port":1}`);
      sendToo = () => connection.publish(reply, "a".repeat(128 * 1024));
      for (let n = 0; n < 3; n += 1) sendToo();
    },
  });
  const { socket } = (await hub?.dial("rude")) ?? {};
  await expect.poll(() => socket?.destroyed).toBe(true);
  sendToo();
  await connection.flush();
  expect(socket?.errored).toMatchObject({ message: "not awaited" });
});
