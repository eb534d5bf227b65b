// TLS proxy
// A proxy in front of an engine that is reached by https: ends TLS, passes requests and upgrades on, adds proxy
// headers.
//
//   Owns:          passing on, both ways; the headers of a proxy.
//   Does not own:  who may come in: the engine decides that.

import { type IncomingMessage, request } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { certificateFor } from "./certificate.ts";

export interface TlsProxy {
  readonly port: number;
  /** As PEM, for clients that should trust it. */
  readonly cert: string;
  /** Where requests go; nowhere before it is called. */
  to(port: number): void;
  stop(): Promise<void>;
}

/** @param host replaces the Host header, as careless proxies do; undefined leaves it as it came. */
export async function tlsProxy(name: string, host?: (port: number) => string): Promise<TlsProxy> {
  const made = certificateFor(name);
  let target = 0;
  const sockets = new Set<Duplex>();
  const pass = (incoming: IncomingMessage) =>
    request({
      host: "127.0.0.1",
      port: target,
      method: incoming.method,
      path: incoming.url,
      headers: {
        ...incoming.headers,
        ...(host && { host: host(target) }),
        "x-forwarded-for": incoming.socket.remoteAddress ?? "",
        "x-forwarded-proto": "https",
        "x-forwarded-host": incoming.headers.host ?? "",
      },
      agent: false,
    });
  const server = createServer(made, (incoming, outgoing) => {
    const passed = pass(incoming);
    passed.on("response", (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on("error", () => outgoing.destroy());
    outgoing.on("close", () => passed.destroy());
    incoming.pipe(passed);
  });
  server.on("upgrade", (incoming, socket, head) => {
    const passed = pass(incoming);
    passed.on("upgrade", (answer, upstream, first) => {
      sockets.add(upstream);
      const lines = Object.entries(answer.headers).map(([name, value]) => `${name}: ${String(value)}\r\n`);
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join("")}\r\n`);
      socket.write(first);
      upstream.write(head);
      upstream.pipe(socket).pipe(upstream);
      for (const one of [upstream, socket]) one.on("error", () => one.destroy());
    });
    passed.on("response", (answer) =>
      socket.end(`HTTP/1.1 ${answer.statusCode ?? 502} Refused\r\nContent-Length: 0\r\n\r\n`),
    );
    passed.end();
  });
  server.on("connection", (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    // A server that listens on a port has an address of this form.
    port: (server.address() as AddressInfo).port,
    cert: made.cert,
    to: (port) => (target = port),
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
