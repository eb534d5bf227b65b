// Listening
// On which addresses the engine has its port, until it closes.
//
//   Owns:          the two addresses of loopback, another try where any port will do; letting connections go.
//   Does not own:  the answers (server).
//
// LISTENING-1. An engine on loopback has its port on 127.0.0.1 and on [::1], or does not start: a browser tries both
//     for one name, and another program on one of them would get what is meant for the engine. Where the machine has no
//     IPv6, nobody can be there.

import type { Server } from "node:http";
import type { ListenOptions, Socket } from "node:net";
import type { Clock } from "../../runtime/ports.ts";

const V4 = "127.0.0.1";
const V6 = "::1";
/** The one beside it that a browser may try. `::` has both. */
const BESIDE: ReadonlyMap<string, string> = new Map([
  [V4, V6],
  ["0.0.0.0", V6],
  [V6, V4],
]);
const IS_NOT_HERE: ReadonlySet<unknown> = new Set([
  "EADDRNOTAVAIL",
  "EAFNOSUPPORT",
  "EINVAL",
  "EPROTONOSUPPORT",
]);
const TRIES = 20;
const CLOSE_WAIT_MS = 5_000;

/**
 * @param open makes one server, for one address. @param port 0 for any that is free on all of them.
 * @throws the system's error, with the address that is not available.
 */
export async function listenOn<Opened extends { readonly server: Server }>(
  open: () => Opened,
  host: string,
  port: number,
): Promise<{ readonly port: number; readonly opened: readonly Opened[] }> {
  const address = host === "localhost" ? V4 : host;
  const beside = BESIDE.get(address);
  for (let left = TRIES; ; left -= 1) {
    const first = open();
    const taken = await listen(first.server, { host: address, port });
    if (beside === undefined) return { port: taken, opened: [first] };
    const second = open();
    try {
      await listen(second.server, { host: beside, port: taken });
      return { port: taken, opened: [first, second] };
    } catch (error) {
      const code = codeOf(error);
      if (IS_NOT_HERE.has(code)) return { port: taken, opened: [first] };
      await closed(first.server);
      if (port !== 0 || code !== "EADDRINUSE" || left <= 1) throw error;
    }
  }
}

/** @returns the port; 0 for a path. */
export function listen(server: Server, where: ListenOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(where, () => {
      server.off("error", reject);
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** Connections that have sent no request yet: the server does not count them as idle. */
export function silentSockets(server: Server): ReadonlySet<Socket> {
  const silent = new Set<Socket>();
  server.on("connection", (socket) => {
    silent.add(socket);
    socket.once("close", () => silent.delete(socket));
  });
  server.on("request", ({ socket }) => silent.delete(socket));
  return silent;
}

export function closeServer(server: Server, silent: ReadonlySet<Socket>, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(CLOSE_WAIT_MS, () => server.closeAllConnections());
    server.close(() => {
      cancel();
      resolve();
    });
    server.closeIdleConnections();
    for (const socket of silent) socket.destroy();
  });
}

const codeOf = (error: unknown): unknown =>
  error instanceof Error && "code" in error ? error.code : undefined;
