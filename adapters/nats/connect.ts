// Connect
// One connection to a NATS server with JetStream.
//
//   Owns:          the connection, credentials in the address, checking that the server has what is needed.
//   Does not own:  streams (streams.ts), supervising a private server.
//
// CONNECT-1. Once it was up, the connection reconnects for ever; losing it never ends the process.
// CONNECT-2. A server that stands still is noticed within seconds: it is pinged, and after two unanswered pings the
//     client reconnects.

import { connect as dial, type ConnectionOptions, type NatsConnection } from "nats";
import { RefusedError } from "../../runtime/errors.ts";
import { asPortError } from "./client-errors.ts";

const DIAL_MS = 5_000;
const RECONNECT_MS = 250;
/** CONNECT-2, for every connection. */
export const PINGS = { pingInterval: 2_000, maxPingOut: 2 } as const;

/**
 * @param url one address or several, separated by commas; each may hold `user:password@` or `token@`.
 * @throws RefusedError for a wrong address or user, or a server without JetStream; RetryableError NATS_UNAVAILABLE.
 */
export async function connect(url: string, name: string): Promise<NatsConnection> {
  let connection: NatsConnection;
  try {
    connection = await dial({ ...readAddress(url), ...SETTINGS, name });
  } catch (error) {
    throw asPortError(error, url);
  }
  if (connection.info?.jetstream) return connection;
  await connection.close();
  throw new RefusedError(
    "NO_JETSTREAM",
    "The NATS server has JetStream switched off.",
    "Start it with -js, or enable jetstream in its configuration and for this account.",
  );
}

const SETTINGS: ConnectionOptions = {
  timeout: DIAL_MS,
  ...PINGS,
  maxReconnectAttempts: -1,
  reconnectTimeWait: RECONNECT_MS,
  noAsyncTraces: true,
};

/** The client itself ignores the user in an address. @throws RefusedError BAD_NATS_URL */
export function readAddress(url: string): ConnectionOptions {
  const addresses = url.split(",").map((part) => parse(part.trim()));
  const [first] = addresses;
  const servers = addresses.map(({ host }) => host);
  const [user, pass] = [first?.username, first?.password].map((text) => decodeURIComponent(text ?? ""));
  const tls = addresses.some(({ protocol }) => protocol === "tls:") ? { tls: {} } : {};
  if (user === undefined || user === "") return { servers, ...tls };
  return pass === undefined || pass === ""
    ? { servers, ...tls, token: user }
    : { servers, ...tls, user, pass };
}

function parse(address: string): URL {
  const whole = address.includes("://") ? address : `nats://${address}`;
  if (URL.canParse(whole)) {
    const url = new URL(whole);
    if (["nats:", "tls:"].includes(url.protocol) && url.host !== "") return url;
  }
  throw new RefusedError(
    "BAD_NATS_URL",
    "The address of the NATS server cannot be read.",
    "Write it as nats://host:4222, or nats://user:password@host:4222.",
  );
}
