// Tunnels
// Two machines on a real server: how many connections one takes, and what the other learns where there is none.

import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import { connect, type NatsConnection } from "nats";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Tunnels } from "../../../../adapters/nats/tunnel/tunnels.ts";
import { systemClock } from "../../../../adapters/system/index.ts";
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
