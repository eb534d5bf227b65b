// Reader
// One pull consumer, which reads the stream of inputs from a given position on.
//
//   Owns:          the consumer, its requests, the messages that have arrived; noticing that the consumer is lost.
//   Does not own:  whether the stream is still the same (stream-extent.ts), what follows a loss (journal.ts).
//   Decided in:    docs/decisions/0016-a-checked-jetstream-journal.md.
//
// NATS-READER-1. A reader never recovers: after anything unexpected it counts as lost, and all messages that it still holds are
//     dropped.
// NATS-READER-2. The messages that a reader holds or has requested are at most 256. It requests no more while it holds 8 MiB,
//     headers included.
//     (checked by review: the server does not report what it was asked for)
// NATS-READER-3. When a reader is lost, its consumer is removed from the server, if the server can be reached.
// NATS-READER-4. A reader counts as lost if it delivers nothing for 5 s although the stream has more messages: the server's copy
//     of the stream may have stopped following the other copies, while the server's heartbeats go on. A new consumer may be on
//     another server.

import { AckPolicy, createInbox, DeliverPolicy, nanos, ReplayPolicy } from "nats";
import type { ConsumerInfo, JetStreamManager, Msg, NatsConnection, Subscription } from "nats";
import type { Clock } from "../../runtime/ports.ts";
import { orPortError } from "./client-errors.ts";
import { headBytes } from "./headers.ts";
import { STREAMS } from "./streams.ts";

const MESSAGES_MAX = 256;
const REFILL_BELOW = 128;
const BYTES_MAX = 8 * 1024 * 1024;
/**
 * How many bytes of messages each pull asks the server for: more than the longest message has, because the server would never
 * send a longer one.
 */
const PULL_BYTES = 10 * 1024 * 1024;
const PULL_MS = 20_000;
const HEARTBEAT_MS = 1_500;
const SILENCE_MAX_MS = 3 * HEARTBEAT_MS;
const INACTIVE_MS = 60_000;
/** NATS-READER-4: how long the server may owe the reader a message that the stream has, before the reader counts as lost. */
const OWED_MAX_MS = 5_000;

export interface Arrived {
  readonly position: number;
  /** How many messages after this one the server has not sent yet. */
  readonly pending: number;
  /** When the stream stored the message, ms. */
  readonly at: number;
  readonly message: Msg;
}

export class Reader {
  readonly #connection: NatsConnection;
  readonly #consumer: string;
  readonly #subscription: Subscription;
  readonly #clock: Clock;
  readonly #moved: () => void;
  #arrived: Arrived[] = [];
  #arrivedBytes = 0;
  #asked = 0;
  #heardAt: number;
  #hasHeard = false;
  #lost: string | undefined;
  #last: number;
  /** Since when the stream has had a message that the reader has not received. */
  #owedFrom: number | undefined;
  /** How many messages the server had for the reader when the reader was made. */
  readonly pendingAtFirst: number;
  #cancel: (() => void) | undefined;

  /** @param moved called when a message has arrived, or the reader is lost. @throws the server's error. */
  static async open(
    connection: NatsConnection,
    manager: JetStreamManager,
    clock: Clock,
    position: number,
    moved: () => void,
  ): Promise<Reader> {
    const { name, num_pending: pending } = await manager.consumers.add(STREAMS.journal, {
      ack_policy: AckPolicy.None,
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: position + 1,
      replay_policy: ReplayPolicy.Instant,
      inactive_threshold: nanos(INACTIVE_MS),
      mem_storage: true,
      num_replicas: 1,
    });
    return new Reader(connection, clock, { name, pending, position }, moved);
  }

  private constructor(
    connection: NatsConnection,
    clock: Clock,
    consumer: { readonly name: string; readonly pending: number; readonly position: number },
    moved: () => void,
  ) {
    this.#connection = connection;
    this.#clock = clock;
    this.#consumer = consumer.name;
    this.pendingAtFirst = consumer.pending;
    this.#last = consumer.position;
    this.#moved = moved;
    this.#heardAt = clock.monotonic();
    this.#subscription = connection.subscribe(createInbox(), {
      callback: (error, message) => {
        if (error) this.lose(error.message);
        else this.#hear(message);
      },
    });
    this.#watch();
  }

  /** Why the reader is lost; undefined while it works. */
  get lost(): string | undefined {
    return this.#lost;
  }

  /** Whether the server has sent the reader a message, or a report that there is none. */
  get hasHeard(): boolean {
    return this.#hasHeard && this.#lost === undefined;
  }

  take(limit: number): readonly Arrived[] {
    const taken = this.#arrived.splice(0, limit);
    for (const { message } of taken) this.#arrivedBytes -= lengthOf(message);
    this.#ask();
    return taken;
  }

  look(manager: JetStreamManager): Promise<ConsumerInfo> {
    return orPortError(manager.consumers.info(STREAMS.journal, this.#consumer));
  }

  /** NATS-READER-4: gives the reader up if it gets no messages up to the stream's end, `tail`. Called about once a second. */
  expect(tail: number): void {
    const now = this.#clock.monotonic();
    if (tail <= this.#last || this.#asked === 0) this.#owedFrom = undefined;
    else if (now - (this.#owedFrom ??= now) > OWED_MAX_MS)
      this.lose(`it delivers nothing after ${this.#last}`);
  }

  /** NATS-READER-1. Ends this reader for good, and drops the messages that it still holds. */
  lose(reason: string): void {
    if (this.#lost !== undefined) return;
    this.#lost = reason;
    this.#arrived = [];
    this.#cancel?.();
    this.#subscription.unsubscribe();
    this.#leave();
    this.#moved();
  }

  /** Deletes the consumer (NATS-READER-3) without waiting for the answer: the server itself removes it after an idle minute. */
  #leave(): void {
    if (this.#connection.isClosed()) return;
    this.#connection.publish(`$JS.API.CONSUMER.DELETE.${STREAMS.journal}.${this.#consumer}`);
  }

  #ask(): void {
    const open = this.#arrived.length + this.#asked;
    if (this.#lost !== undefined || open >= REFILL_BELOW || this.#arrivedBytes >= BYTES_MAX) return;
    const batch = MESSAGES_MAX - open;
    this.#asked += batch;
    const request = {
      batch,
      max_bytes: PULL_BYTES,
      expires: nanos(PULL_MS),
      idle_heartbeat: nanos(HEARTBEAT_MS),
    };
    const to = `$JS.API.CONSUMER.MSG.NEXT.${STREAMS.journal}.${this.#consumer}`;
    this.#connection.publish(to, JSON.stringify(request), { reply: this.#subscription.getSubject() });
  }

  #hear(message: Msg): void {
    this.#heardAt = this.#clock.monotonic();
    this.#hasHeard = true;
    const place = placeOf(message.reply);
    if (!place) return this.#status(message);
    this.#asked = Math.max(0, this.#asked - 1);
    this.#last = place.position;
    this.#owedFrom = undefined;
    this.#arrived.push({ ...place, message });
    this.#arrivedBytes += lengthOf(message);
    this.#moved();
  }

  /** Handles a report of the server. A stored message has a position and never comes here, whatever its headers contain. */
  #status({ headers }: Msg): void {
    const code = headers?.code;
    if (code === HEARTBEAT) return;
    const why = headers?.description ?? "";
    // Newer NATS servers report that all messages of one request for messages were sent. The reader has already counted these
    // messages as they arrived, and asks for more.
    if (code === CONFLICT && /batch completed/i.test(why)) return this.#ask();
    const left = Number(headers?.get("Nats-Pending-Messages"));
    const isOver = code === EXPIRED || (code === CONFLICT && /maxbytes/i.test(why));
    if (!isOver) return this.lose(`${code ?? "no status"} ${why}`);
    this.#asked = Number.isFinite(left) && left > 0 ? Math.max(0, this.#asked - left) : 0;
    this.#ask();
  }

  #watch(): void {
    this.#ask();
    this.#cancel = this.#clock.after(HEARTBEAT_MS, () => {
      const silenceMs = this.#clock.monotonic() - this.#heardAt;
      if (this.#asked > 0 && silenceMs > SILENCE_MAX_MS) this.lose(`nothing was heard for ${silenceMs} ms`);
      else this.#watch();
    });
  }
}

/** The size of subject, headers and payload. */
const lengthOf = (message: Msg): number =>
  message.subject.length + headBytes(message).length + message.data.length;

const HEARTBEAT = 100;
const EXPIRED = 408;
const CONFLICT = 409;

/** Where a stored message is, by its reply subject `$JS.ACK.<stream>.<consumer>.<times>.<position>.<n>.<at>.<pending>`. */
function placeOf(reply: string | undefined): Omit<Arrived, "message"> | undefined {
  if (!reply?.startsWith("$JS.ACK.")) return undefined;
  const tokens = reply.split(".");
  // In the subject of an acknowledgement, newer NATS servers put the domain and the account before the stream's name.
  const from = tokens.length > SHORT_FORM ? 2 : 0;
  const [position, , nanoseconds = "", pending] = tokens.slice(from + 5);
  // The nanoseconds are cut to milliseconds as text, because a number cannot hold so many digits.
  return { position: Number(position), at: Number(nanoseconds.slice(0, -6)), pending: Number(pending) };
}

const SHORT_FORM = 9;
