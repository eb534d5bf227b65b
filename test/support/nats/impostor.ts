// Impostor
// A program that greets like a NATS server, lets everybody in, and keeps what it is sent.
//
//   Owns:          taking a port as soon as it is free, the greeting, TLS if asked for, what was heard.
//   Does not own:  who is to be fooled.

import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createSecureContext, TLSSocket } from "node:tls";

export interface Impostor {
  readonly port: number;
  /** How many have connected. */
  readonly connections: number;
  /** All that was sent to it: inside of TLS, where that was agreed. */
  readonly heard: string;
  /** Sends the greetings that are held. */
  greet(): void;
  /** Ends what is connected, and waits for others. */
  drop(): void;
  close(): Promise<void>;
}

export interface ImpostorOptions {
  /** Default: any. It is tried until it is free. */
  readonly port?: number;
  readonly host?: string;
  readonly info?: object;
  readonly tls?: { readonly key: string; readonly cert: string };
  /** The greeting waits for `greet`. */
  readonly holds?: boolean;
}

const INFO = { server_id: "I", version: "2.9.10", proto: 1, headers: true, jetstream: true, nonce: "n0nce" };
const MAX_PAYLOAD = 1_048_576;
const TAKE_EACH_MS = 1;

export async function impostor(options: ImpostorOptions = {}): Promise<Impostor> {
  const { port = 0, host = "127.0.0.1", info = {}, tls, holds = false } = options;
  const sockets = new Set<Socket>();
  const held: (() => void)[] = [];
  let [connections, heard] = [0, ""];

  const listen = (socket: Socket): void => {
    socket.on("data", (data: Buffer) => {
      const text = data.toString("latin1");
      heard += text;
      if (text.includes("PING\r\n")) socket.write("PONG\r\n");
    });
    socket.on("error", () => socket.destroy());
  };
  const greet = (socket: Socket): void => {
    const all = { ...INFO, max_payload: MAX_PAYLOAD, ...(tls && { tls_required: true }), ...info };
    socket.write(`INFO ${JSON.stringify(all)}\r\n`, () => {
      if (!tls) listen(socket);
      else listen(new TLSSocket(socket, { isServer: true, secureContext: createSecureContext(tls) }));
    });
  };
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
    if (holds) held.push(() => greet(socket));
    else greet(socket);
  });
  while (!(await hasTaken(server, port, host))) await sleep(TAKE_EACH_MS);
  const { port: taken } = server.address() as AddressInfo;
  return {
    port: taken,
    get connections() {
      return connections;
    },
    get heard() {
      return heard;
    },
    greet: () => held.splice(0).forEach((each) => each()),
    drop: () => sockets.forEach((socket) => socket.destroy()),
    async close() {
      if (!server.listening) return;
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

function hasTaken(server: Server, port: number, host: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException): void => {
      server.off("listening", listening);
      if (error.code === "EADDRINUSE") resolve(false);
      else reject(error);
    };
    const listening = (): void => {
      server.off("error", failed);
      resolve(true);
    };
    server.once("error", failed).once("listening", listening).listen(port, host);
  });
}
