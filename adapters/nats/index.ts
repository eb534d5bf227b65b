// NATS
// Opens and closes JetStream as the journal and the outlet of an engine, over one connection.
//
//   Owns:          opening the connection with its streams; closing it.
//   Does not own:  the work of journal, outlet and bucket (journal.ts, outlet.ts, blob-bucket.ts).

import type { NatsConnection } from "nats";
import type { Clients } from "../../runtime/clients.ts";
import type { Clock, Journal, Outlet } from "../../runtime/ports.ts";
import { BlobBucket } from "./blob-bucket.ts";
import { connect } from "./connect.ts";
import { copiesRefused, watchCopies } from "./copies.ts";
import { isUnfenced } from "./fence.ts";
import type { NatsKey } from "./handshake.ts";
import { NatsJournal } from "./journal.ts";
import { NatsOutlet } from "./outlet.ts";
import { asPortError } from "./client-errors.ts";
import { ANSWER_MS, Pulse } from "./pulse.ts";
import { ensureStreams, remakeStream, type StreamLimits } from "./streams.ts";

export interface NatsOptions {
  /** One address or several, separated by commas; each may contain `user:password@` or `token@`. */
  readonly url: string;
  /** The key, if the address names no user. */
  readonly key?: NatsKey | undefined;
  /** The data folder's seal key, 32 bytes, with which engines seal their messages. */
  readonly sealKey: Uint8Array;
  /** The clients whose payloads services may publish. */
  readonly clients: Clients;
  /** Whether the store's entries are known to be sealed with this key (NATS-JOURNAL-5); undefined if seals are not checked. */
  readonly isKeyKnown?: boolean | undefined;
  readonly limits?: StreamLimits;
  readonly clock: Clock;
  /** Called if, after a lost connection, the server's version may not keep the stream in several copies (COPIES-1). */
  readonly onFatal: (error: Error) => void;
}

export interface NatsLink {
  readonly connection: NatsConnection;
  readonly journal: Journal & { readonly isRead: boolean };
  readonly outlet: Outlet;
  readonly blobs: BlobBucket;
  readonly server: { readonly url: string; readonly version: string };
  /** True if the engine uses the server's default account; undefined if the server does not tell. */
  isUnfenced(): Promise<boolean | undefined>;
  /** Resolves with the reason once the NATS client was closed, or has given up because retrying cannot help. */
  readonly closed: Promise<Error>;
  close(): Promise<void>;
}

/**
 * Connects, creates the streams and updates their settings.
 * @throws RefusedError for an unsuitable server; RetryableError NATS_UNAVAILABLE if the server does not answer.
 */
export async function connectNats(options: NatsOptions): Promise<NatsLink> {
  const { url, key, limits = {} } = options;
  const connection = await connect(url, "signalbox", key);
  try {
    const refusal = (copies: number) => copiesRefused(connection.info?.version ?? "", copies);
    const asked = refusal(limits.replicas ?? 1);
    if (asked) throw asked;
    const manager = await connection.jetstreamManager();
    const copies = await ensureStreams(manager, limits);
    const found = refusal(copies);
    if (found) throw found;
    if (copies > 1) void watchCopies(connection, copies, options.onFatal);
    const asking = await connection.jetstreamManager({ timeout: ANSWER_MS, checkAPI: false });
    const pulse = new Pulse(asking, options.clock);
    return {
      connection,
      journal: new NatsJournal(connection, manager, { ...options, asking, pulse }),
      outlet: new NatsOutlet(connection, manager, {
        clock: options.clock,
        pulse,
        remake: (stream) => remakeStream(manager, stream, limits),
      }),
      blobs: new BlobBucket(connection, asking, limits, () => options.clock.now()),
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

export interface NatsReading {
  readonly journal: Journal;
  close(): Promise<void>;
}

/** Connects only to read: creates no stream, and changes no setting. @throws as `connectNats` does. */
export async function readNats(
  options: Pick<NatsOptions, "url" | "key" | "sealKey" | "clients" | "clock">,
): Promise<NatsReading> {
  const { url, key, clock } = options;
  const connection = await connect(url, "signalbox reader", key);
  try {
    const manager = await connection.jetstreamManager();
    const asking = await connection.jetstreamManager({ timeout: ANSWER_MS, checkAPI: false });
    const journal = new NatsJournal(connection, manager, {
      ...options,
      asking,
      pulse: new Pulse(asking, clock),
    });
    return {
      journal,
      async close() {
        await journal.close();
        await connection.close();
      },
    };
  } catch (error) {
    await connection.close();
    throw asPortError(error, url);
  }
}

export type { StreamLimits } from "./streams.ts";
export type { BlobBucket } from "./blob-bucket.ts";
export { ownerLine, serveOwner } from "./owner-line.ts";
export { Presence } from "./connect.ts";
