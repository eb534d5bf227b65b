// Connect
// One connection to a NATS server with JetStream.
//
//   Owns:          the connection, checking that the server has JetStream.
//   Does not own:  streams (streams.ts), which servers are trusted (servers.ts, handshake.ts).
//
// CONNECT-1. Once the connection was up, it reconnects for ever; losing it never ends the process.
// CONNECT-2. A server that does not answer is noticed within seconds: the client pings it, and reconnects after two unanswered
//     pings.

import { connect as dial, type ConnectionOptions, type NatsConnection } from "nats";
import { RefusedError } from "../../runtime/errors/errors.ts";
import { asPortError } from "./client-errors.ts";
import { type NatsKey, withKey } from "./handshake.ts";
import { serversAt } from "./servers.ts";

const DIAL_MS = 5_000;
const RECONNECT_MS = 250;
/** CONNECT-2, for every connection. */
export const PINGS = { pingInterval: 2_000, maxPingOut: 2 } as const;

/**
 * @param url one address or several, separated by commas; each may contain `user:password@` or `token@`.
 * @throws RefusedError for a wrong address or user, or a server that is not trusted or lacks JetStream; RetryableError
 * NATS_UNAVAILABLE.
 */
export async function connect(url: string, name: string, key?: NatsKey): Promise<NatsConnection> {
  const connection = await connectPlainly(url, name, key);
  if (connection.info?.jetstream) return connection;
  await connection.close();
  throw new RefusedError(
    "NO_JETSTREAM",
    "The NATS server has JetStream switched off.",
    "Start the NATS server with -js, or enable jetstream in its configuration and for this account.",
  );
}

/** Connects as `connect` does, but also accepts a server without JetStream. */
export async function connectPlainly(url: string, name: string, key?: NatsKey): Promise<NatsConnection> {
  try {
    const at = { ...SETTINGS, ...serversAt(url), name };
    return await dial(key ? withKey(at, key) : at);
  } catch (error) {
    throw asPortError(error, url);
  }
}

const SETTINGS: ConnectionOptions = {
  timeout: DIAL_MS,
  ...PINGS,
  maxReconnectAttempts: -1,
  reconnectTimeWait: RECONNECT_MS,
  noAsyncTraces: true,
};
