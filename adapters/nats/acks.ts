// Acks
// Publishes messages to streams, and returns for each message the acknowledgement that its stream sends.
//
//   Owns:          the inbox (the subjects to which acknowledgements are sent), matching acknowledgements to messages, parsing
//                  them, how long to wait for each.
//   Does not own:  order and repetition (line.ts, runtime/outbound/outbox), what a failure means (client-errors.ts).
//   Decided in:    docs/decisions/0070-acknowledgements-in-one-inbox.md.
//
// ACKS-1. Each message has its own new reply address. An acknowledgement counts once, for the message with that reply address,
//     and only while somebody waits for it.
// ACKS-2. A message counts as stored only if its stream acknowledges it with a position. Any other reply counts as a failure.
// ACKS-3. Each wait for an acknowledgement ends: when its time is over, when the server forbids the message, or when the
//     connection is closed.

import { createInbox, ErrorCode, Events, NatsError } from "nats";
import { headersWith } from "./connect.ts";
import type { ApiError, Msg, NatsConnection, Subscription } from "nats";
import { isFields, jsonIn } from "../../machines/json.ts";
import type { Clock } from "../../runtime/ports.ts";

/** How long an acknowledgement is awaited: longer than a server takes to restart. */
export const ACK_MS = 5_000;

interface Publishing {
  readonly stream: string;
  readonly subject: string;
  readonly body: string | Uint8Array;
  /** The message's id, by which the stream recognises a repeated message within its duplicate window. */
  readonly id: string;
  readonly headers: Iterable<readonly [name: string, value: string]>;
}

interface Awaited {
  readonly stream: string;
  readonly subject: string;
  readonly untilMs: number;
  readonly resolve: (position: number) => void;
  readonly reject: (error: Error) => void;
}

export class Acks {
  readonly #connection: NatsConnection;
  readonly #clock: Clock;
  /** The acknowledgements that are awaited, by reply address, in the order in which the waits end. */
  readonly #awaited = new Map<string, Awaited>();
  #inbox: { readonly address: string; readonly subscription: Subscription } | undefined;
  #published = 0;
  #cancel: (() => void) | undefined;

  constructor(connection: NatsConnection, clock: Clock) {
    this.#connection = connection;
    this.#clock = clock;
    void this.#follow();
  }

  publish({ stream, subject, body, id, headers: said }: Publishing): Promise<number> {
    return new Promise((resolve, reject) => {
      const headers = headersWith([...said, ["Nats-Msg-Id", id], ["Nats-Expected-Stream", stream]]);
      this.#published += 1;
      const reply = `${this.#address()}.${this.#published}`;
      this.#connection.publish(subject, body, { headers, reply });
      const untilMs = this.#clock.monotonic() + ACK_MS;
      this.#awaited.set(reply, { stream, subject, untilMs, resolve, reject });
      this.#watch();
    });
  }

  #address(): string {
    if (this.#inbox) return this.#inbox.address;
    const address = createInbox();
    const subscription = this.#connection.subscribe(`${address}.*`, {
      callback: (error, message) => (error ? this.#leave(subscription, error) : this.#hear(message)),
    });
    const closed = (): void => this.#leave(subscription, NatsError.errorForCode(ErrorCode.ConnectionClosed));
    void subscription.closed.then(closed);
    this.#inbox = { address, subscription };
    return address;
  }

  #hear(message: Msg): void {
    const awaited = this.#awaited.get(message.subject);
    if (!awaited) return;
    this.#awaited.delete(message.subject);
    const read = readAck(message, awaited.stream);
    if (typeof read === "number") awaited.resolve(read);
    else awaited.reject(read);
  }

  /** Ends all waits with an error. The next message opens another inbox. */
  #leave(subscription: Subscription, error: Error): void {
    if (this.#inbox?.subscription !== subscription) return;
    this.#inbox = undefined;
    this.#cancel?.();
    this.#cancel = undefined;
    this.#fail(() => true, error);
  }

  #fail(isMeant: (awaited: Awaited) => boolean, error: Error): void {
    for (const [reply, awaited] of this.#awaited) {
      if (!isMeant(awaited)) continue;
      this.#awaited.delete(reply);
      awaited.reject(error);
    }
  }

  /**
   * Starts the timer that ends the waits for acknowledgements. One timer is enough: all waits are equally long, so the first to
   * begin is the first to end.
   */
  #watch(): void {
    if (this.#cancel) return;
    const [first] = this.#awaited.values();
    if (!first) return;
    this.#cancel = this.#clock.after(first.untilMs - this.#clock.monotonic(), () => {
      this.#cancel = undefined;
      const now = this.#clock.monotonic();
      this.#fail(({ untilMs }) => untilMs <= now, NatsError.errorForCode(ErrorCode.Timeout));
      this.#watch();
    });
  }

  /** If the server forbids a subject, fails all messages of this subject: the server names the subject, not the message. */
  async #follow(): Promise<void> {
    for await (const { type, permissionContext: where } of this.#connection.status()) {
      if (type !== Events.Error || where?.operation !== "publish") continue;
      const reason = `Permissions Violation for Publish to "${where.subject}"`;
      const error = new NatsError(reason, ErrorCode.PermissionsViolation);
      this.#fail(({ subject }) => subject === where.subject, error);
    }
  }
}

/** Reads the stream's reply (ACKS-2). @returns the message's position, or the error that says why the message is not stored. */
function readAck(message: Msg, stream: string): number | NatsError {
  // The NATS server itself sends an empty reply with the code NOBODY if no stream stores messages of the subject.
  if (message.data.length === 0 && message.headers?.code === NOBODY)
    return NatsError.errorForCode(ErrorCode.NoResponders);
  const read = jsonIn(message.string());
  const said = isFields(read) ? read : {};
  const { error, seq } = said;
  if (isApiError(error)) {
    const refused = new NatsError(error.description, ErrorCode.ApiError);
    refused.api_error = error;
    return refused;
  }
  const isTaken = said["stream"] === stream && Number.isSafeInteger(seq) && Number(seq) > 0;
  return isTaken ? Number(seq) : NatsError.errorForCode(ErrorCode.JetStreamInvalidAck);
}

const NOBODY = 503;

const isApiError = (error: unknown): error is ApiError =>
  typeof error === "object" && error !== null && "code" in error && "description" in error;
