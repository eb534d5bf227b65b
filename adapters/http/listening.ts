// Listening
// Listens on the engine's port, on each of the engine's addresses, until the engine closes.
//
//   Owns:          listening on both addresses of loopback, trying another port if any port will do, ending connections.
//   Does not own:  answering requests (server).
//
// LISTENING-1. An engine on loopback starts only if it gets its port on 127.0.0.1 and, if the machine has IPv6, on [::1]. A
//     browser tries both addresses for one name, so another program on one of them would get requests meant for the engine.

import type { Server } from "node:http";
import type { ListenOptions, Socket } from "node:net";
import type { Clock } from "../../runtime/ports.ts";

const V4 = "127.0.0.1";
const V6 = "::1";
/** For an engine's address, the second address on which it also listens, as browsers try both. The address `::` means both. */
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
 * Listens at a host, on loopback at both addresses (LISTENING-1).
 * @param open makes the server of one address.
 * @param port 0 for any port that is free on all addresses.
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

/** @returns the port at which the server listens; 0 if it listens on a socket of the file system. */
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

/** The connections that have sent no request yet. They are closed separately, because Node does not count them as idle. */
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
