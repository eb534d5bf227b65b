// Private
// What a test needs to run a private server in a folder, and to be let in.
//
//   Owns:          the key in the folder, options for a server of it, a connection that only has the key.
//   Does not own:  the server (nats-server), whether it is believed (nats/handshake).

import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { connect, type NatsConnection, nkeyAuthenticator } from "nats";
import { ensureNatsKey } from "../../../adapters/composition/nats-key.ts";
import { findNatsServer, keyFileOf } from "../../../adapters/nats-server/index.ts";
import type { PrivateServerOptions } from "../../../adapters/nats-server/private-server.ts";
import { commandOf, listensOn, markOf } from "../../../adapters/system/index.ts";
import { natsServerBinary } from "./binary.ts";

/** @param dir of the server, created if missing. */
export async function privateOptions(
  dir: string,
  more: Partial<PrivateServerOptions> = {},
): Promise<PrivateServerOptions> {
  const binary = await findNatsServer(dirname(await natsServerBinary()));
  if (!binary) throw new Error("The nats-server of the tests does not run.");
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const publicKey = await ensureNatsKey(keyFileOf(dir));
  const processes = { markOf, commandOf, listensOn };
  return { dir, publicKey, binary, processes, onNews: () => undefined, ...more };
}

/** The process of the server that runs there. */
export const serverPidIn = (dir: string): number => Number(readFileSync(join(dir, "pid"), "utf8"));

/** Connects with the key of a server's folder, as the clients of other languages do. */
export function memberOf(dir: string, port: number): Promise<NatsConnection> {
  const authenticator = nkeyAuthenticator(readFileSync(keyFileOf(dir)).subarray(0, -1));
  return connect({ port, authenticator, reconnect: false });
}
