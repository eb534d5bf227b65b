// NATS
// JetStream as the journal and the outlet of an engine, over one connection.
//
//   Owns:          opening the connection with its streams; closing it.
//   Does not own:  anything the parts do.

import type { NatsConnection } from "nats";
import type { Clock, Journal, Outlet } from "../../runtime/ports.ts";
import { connect } from "./connect.ts";
import { isUnfenced } from "./fence.ts";
import { NatsJournal } from "./journal.ts";
import { NatsOutlet } from "./outlet.ts";
import { asPortError } from "./client-errors.ts";
import { ANSWER_MS, Pulse } from "./pulse.ts";
import { ensureStreams, remakeStream, type StreamLimits } from "./streams.ts";

export interface NatsOptions {
  /** One address or several, with commas between; each may hold `user:password@` or `token@`. */
  readonly url: string;
  /** 32 bytes that only engines of this data folder have: what they write is sealed with it. */
  readonly sealKey: Uint8Array;
  /** What the server calls this connection. */
  readonly name?: string;
  readonly limits?: StreamLimits;
  readonly clock: Clock;
  /** Called when the journal turns out not to be the one that was read. */
  readonly onFatal: (error: Error) => void;
}

export interface NatsLink {
  readonly connection: NatsConnection;
  readonly journal: Journal;
  readonly outlet: Outlet;
  readonly server: { readonly url: string; readonly version: string };
  /** True where all who were given no account share the engine's; undefined where that cannot be known. */
  isUnfenced(): Promise<boolean | undefined>;
  /** Resolves with why, once the client has given up, or was closed. It gives up only where trying again is no use. */
  readonly closed: Promise<Error>;
  close(): Promise<void>;
}

/**
 * Connects, and makes the streams what they should be.
 * @throws RefusedError for a server that will not do; RetryableError NATS_UNAVAILABLE for one that does not answer.
 */
export async function connectNats(options: NatsOptions): Promise<NatsLink> {
  const { url, name = "signalbox", limits = {} } = options;
  const connection = await connect(url, name);
  try {
    const manager = await connection.jetstreamManager();
    await ensureStreams(manager, limits);
    const asking = await connection.jetstreamManager({ timeout: ANSWER_MS, checkAPI: false });
    const pulse = new Pulse(asking, options.clock);
    return {
      connection,
      journal: new NatsJournal(connection, manager, { ...options, pulse }),
      outlet: new NatsOutlet(connection, manager, {
        clock: options.clock,
        pulse,
        remake: (stream) => remakeStream(manager, stream, limits),
      }),
      server: { url: connection.getServer(), version: connection.info?.version ?? "" },
      isUnfenced: () => isUnfenced(connection),
      closed: connection
        .closed()
        .then((reason) => asPortError(reason ?? new Error("the connection was closed"), url)),
      close: () => connection.close(),
    };
  } catch (error) {
    await connection.close();
    throw asPortError(error);
  }
}

export { Presence } from "./presence.ts";
