// Acks
// Publishes messages to streams, and hands each the acknowledgement that its stream sends.
//
//   Owns:          the inbox, which message an acknowledgement is for, reading it, how long it is awaited.
//   Does not own:  order and repetition (line.ts, runtime/outbound/outbox), what a failure means (client-errors.ts).
//   Decided in:    docs/decisions/0070-acknowledgements-in-one-inbox.md.
//
// ACKS-1. Each message has a reply address that was never used before: an acknowledgement counts for its own message,
//     once, and while it is awaited. Whatever else comes into the inbox changes nothing.
// ACKS-2. A message is taken only by word of the stream it is for, with a position. Anything else is a failure.
// ACKS-3. Each wait ends: when its time is over, the server forbids it, or the connection is closed. An acknowledgement
//     that a lost connection took along is one that does not come in time.

import { createInbox, ErrorCode, Events, headers as newHeaders, NatsError } from "nats";
import type { ApiError, Msg, NatsConnection, Subscription } from "nats";
import type { Clock } from "../../runtime/ports.ts";

/** Longer than a server takes to start again. */
export const ACK_MS = 5_000;

interface Publishing {
  readonly stream: string;
  readonly subject: string;
  readonly body: string | Uint8Array;
  /** The stream takes only one message with it, as long as it remembers. */
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
  /** Awaited acknowledgements by reply address, in the order in which their times end. */
  readonly #awaited = new Map<string, Awaited>();
  #inbox: { readonly address: string; readonly subscription: Subscription } | undefined;
  #published = 0;
  #cancel: (() => void) | undefined;

  constructor(connection: NatsConnection, clock: Clock) {
    this.#connection = connection;
    this.#clock = clock;
    void this.#follow();
  }

  /** @returns the message's position. @throws NatsError */
  publish({ stream, subject, body, id, headers: said }: Publishing): Promise<number> {
    return new Promise((resolve, reject) => {
      const headers = newHeaders();
      for (const [name, value] of said) headers.set(name, value);
      headers.set("Nats-Msg-Id", id);
      headers.set("Nats-Expected-Stream", stream);
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

  /** The next message makes another inbox. */
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

  /** One timer serves all, because each waits equally long. */
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

  /** The server does not say which message it forbids, only where none may be sent. */
  async #follow(): Promise<void> {
    for await (const { type, permissionContext: where } of this.#connection.status()) {
      if (type !== Events.Error || where?.operation !== "publish") continue;
      const reason = `Permissions Violation for Publish to "${where.subject}"`;
      const error = new NatsError(reason, ErrorCode.PermissionsViolation);
      this.#fail(({ subject }) => subject === where.subject, error);
    }
  }
}

/** ACKS-2. @returns the position, or why there is none. */
function readAck(message: Msg, stream: string): number | NatsError {
  // The server itself says so: nobody takes what is published there.
  if (message.data.length === 0 && message.headers?.code === NOBODY)
    return NatsError.errorForCode(ErrorCode.NoResponders);
  const said = fieldsIn(message);
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

function fieldsIn(message: Msg): Readonly<Record<string, unknown>> {
  try {
    return Object(message.json()) as Record<string, unknown>;
  } catch {
    return {};
  }
}

const isApiError = (error: unknown): error is ApiError =>
  typeof error === "object" && error !== null && "code" in error && "description" in error;
