// Link
// The client's connection to the server, and whether the connection is up at the moment.
//
//   Owns:          connecting within a deadline, noticing that the connection breaks or comes back, closing.
//   Does not own:  the messages on the connection.
//
// CLIENT-LINK-1. No message is passed to a broken connection. Until the connection is back, each operation waits in `up`, where
//     its deadline can end the wait.
// CLIENT-LINK-2. If the server does not answer, connecting fails at its deadline, and closing is not delayed.

import { connect, ErrorCode, Events, type NatsConnection, NatsError } from "nats";
import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { RefusedError, RetryableError } from "../../../runtime/errors/errors.ts";
import { anyNews, settling, waitFor } from "../../../runtime/wait-for.ts";
import { withKey } from "../handshake.ts";
import { unproved } from "../servers.ts";
import { closed } from "./failures.ts";
import type { Settings } from "./options.ts";

const PAUSE_MS = 250;
/** How long one attempt to connect may take at most. A later attempt to reconnect may take as long as the one that succeeded. */
const DIAL_MS = 5_000;
const DIAL_MIN_MS = 1_000;
const DRAIN_MS = 5_000;

export class Link {
  readonly connection: NatsConnection;
  readonly settings: Settings;
  readonly #ended = new AbortController();
  readonly #changed = new Set<() => void>();
  #failure: Error | undefined;
  #breaks = 0;
  #isUp = true;

  constructor(connection: NatsConnection, settings: Settings) {
    this.connection = connection;
    this.settings = settings;
    // Every waiting operation adds a listener, so there may be many: Node must not warn about a leak.
    setMaxListeners(0, this.ended);
    void this.#watch();
    void connection.closed().then((error) => this.#end(error ? closed(error) : undefined));
  }

  /** A signal that is aborted once the client is closed, or the server has refused the client for good. */
  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  /** Why the connection ended; undefined if the client was closed. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** How often the connection has broken. */
  get breaks(): number {
    return this.#breaks;
  }

  /** Calls `callback` whenever the connection breaks, comes back or ends. @returns a function that stops the calls. */
  onChange(callback: () => void): () => void {
    this.#changed.add(callback);
    return () => this.#changed.delete(callback);
  }

  /** Resolves once the connection is up. @throws the signal's reason; RefusedError CLOSED */
  async up(signal: AbortSignal): Promise<void> {
    const isOver = (): boolean => this.#isUp || this.ended.aborted;
    if (!isOver()) await waitFor((hear) => this.onChange(() => hear(undefined)), isOver, undefined, signal);
    if (this.ended.aborted) throw this.#failure ?? closed();
    signal.throwIfAborted();
  }

  /** Waits for an answer. Fails if the connection breaks before the answer is here: it never comes over a new connection. */
  async whileUp<T>(sent: Promise<T>): Promise<T> {
    const { breaks } = this;
    const broken = new AbortController();
    const stop = this.onChange(() => this.#breaks !== breaks && broken.abort());
    const ended = await waitFor(settling(sent), anyNews, undefined, broken.signal).finally(stop);
    if (ended === "gone") throw new Error("The connection broke.");
    return sent;
  }

  /** Ends the connection once everything is sent, or after a short time if the server does not answer (CLIENT-LINK-2). */
  async close(): Promise<void> {
    this.#end();
    const drained = this.connection.drain().catch(() => undefined);
    await Promise.race([drained, sleep(DRAIN_MS, undefined, { ref: false })]);
    await this.connection.close();
  }

  async #watch(): Promise<void> {
    for await (const { type } of this.connection.status()) {
      if (type === Events.Disconnect) {
        this.#isUp = false;
        this.#breaks += 1;
      } else if (type === Events.Reconnect) this.#isUp = true;
      else continue;
      this.#tell();
    }
  }

  #end(failure?: Error): void {
    if (this.ended.aborted) return;
    this.#failure = failure;
    this.#ended.abort();
    this.#tell();
  }

  #tell(): void {
    for (const callback of [...this.#changed]) callback();
  }
}

/** @throws RefusedError NOT_AUTHORISED, or for a server that is not trusted; RetryableError NOT_CONNECTED at the deadline. */
export async function openLink(settings: Settings): Promise<Link> {
  const { connection, key } = settings;
  const until = performance.now() + settings.deadlineMs;
  for (;;) {
    try {
      const timeout = Math.min(DIAL_MS, Math.max(DIAL_MIN_MS, until - performance.now()));
      const options = { timeout, ...connection };
      return new Link(await connect(key ? withKey(options, key) : options), settings);
    } catch (error) {
      if (error instanceof RefusedError) throw error;
      if (isForbidden(error)) throw notAuthorised(error);
      const refusal = unproved(error, `The NATS server at ${addressOf(settings)}`);
      if (refusal) throw refusal;
      if (performance.now() + PAUSE_MS >= until) throw notConnected(settings, error);
      await sleep(PAUSE_MS);
    }
  }
}

const FORBIDDEN: readonly string[] = [ErrorCode.AuthorizationViolation, ErrorCode.BadAuthentication];
const isForbidden = (error: unknown): boolean => error instanceof NatsError && FORBIDDEN.includes(error.code);

const notAuthorised = (cause: unknown): RefusedError =>
  new RefusedError(
    "NOT_AUTHORISED",
    `The NATS server does not know this user: ${cause instanceof Error ? cause.message : "refused"}.`,
    "Give the user and password, the token or the key that the server is set up with. For the server of `npx signalbox up`, run the line that it prints.",
  );

const addressOf = ({ connection: { servers } }: Settings): string => [servers ?? []].flat().join(", ");

const notConnected = (settings: Settings, cause: unknown): RetryableError =>
  new RetryableError(
    "NOT_CONNECTED",
    cause instanceof RetryableError ? cause.message : `No NATS server answers at ${addressOf(settings)}.`,
    cause instanceof RetryableError
      ? cause.next
      : "Check that the server runs and that the address is right.",
    PAUSE_MS,
    { cause },
  );
