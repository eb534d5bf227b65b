// Connect
// One connection to a NATS server with JetStream.
//
//   Owns:          the connection, making headers, checking that the server has JetStream, whether the server can be reached now.
//   Does not own:  streams (streams.ts), which servers are trusted (servers.ts, handshake.ts).
//
// CONNECT-1. Once the connection has been up, the client reconnects without end. A lost connection never ends the process.
// CONNECT-2. If the server stops answering, the client notices that within seconds, and reconnects after two unanswered pings.

import {
  connect as dial,
  type ConnectionOptions,
  Events,
  headers,
  type MsgHdrs,
  type NatsConnection,
} from "nats";
import { RefusedError } from "../../runtime/errors/errors.ts";
import { asPortError } from "./client-errors.ts";
import { type NatsKey, withKey } from "./handshake.ts";
import { serversAt } from "./servers.ts";

const DIAL_MS = 5_000;
const RECONNECT_MS = 250;
/** The settings by which a connection notices a dead server; every connection has them (CONNECT-2). */
export const PINGS = { pingInterval: 2_000, maxPingOut: 2 } as const;

/**
 * @param url as in `NatsOptions`. @throws RefusedError for a wrong address or user, or a server that is not trusted or lacks
 * JetStream; RetryableError NATS_UNAVAILABLE.
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

/**
 * Resolves once the server knows all subscriptions, or the connection has broken: the NATS client subscribes again on the next
 * connection.
 * @throws the client's error if the connection is closed.
 */
export async function known(connection: NatsConnection): Promise<void> {
  await connection.flush().catch((error: unknown) => {
    if (connection.isClosed()) throw error;
  });
}

/** Follows whether the NATS server is connected, as the connection reports it. */
export class Presence {
  readonly #connection: NatsConnection;
  #isHere: boolean;

  /** @param onChange called each time the server is lost or comes back, but not when this process closes the connection. */
  constructor(connection: NatsConnection, onChange: (isHere: boolean) => void) {
    this.#connection = connection;
    this.#isHere = true;
    void this.#follow(onChange);
  }

  get isHere(): boolean {
    return this.#isHere && !this.#connection.isClosed();
  }

  async #follow(onChange: (isHere: boolean) => void): Promise<void> {
    for await (const { type } of this.#connection.status()) {
      const isHere = type === Events.Disconnect ? false : type === Events.Reconnect ? true : this.#isHere;
      if (isHere === this.#isHere || this.#connection.isClosed()) continue;
      this.#isHere = isHere;
      onChange(isHere);
    }
  }
}

export function headersWith(said: Iterable<readonly [name: string, value: string]>): MsgHdrs {
  const made = headers();
  for (const [name, value] of said) made.set(name, value);
  return made;
}
