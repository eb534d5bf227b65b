// NATS outlet
// Publishes state changes and dead letters, each on its subject in its stream, and notices for current subscribers.
//
//   Owns:          the form of each message; reading which version of a session the stream got last; recreating a deleted
//                  stream.
//   Does not own:  order and retries (runtime/outbound/outbox), the settings of streams (streams.ts).
//
// G4. Publishing resolves once the stream has stored the change. A change that is published again soon, within the stream's
//     duplicate window, is stored once.
// NATS-OUTLET-1. A deleted stream is created again, and the loss of its messages is reported.

import type { JetStreamManager, NatsConnection } from "nats";
import { defined } from "../../machines/index.ts";
import { RefusedError, RetryableError } from "../../runtime/errors/errors.ts";
import type { Clock, Notice, OutgoingChange, OutgoingLetter, Outlet } from "../../runtime/ports.ts";
import { lineIdOf } from "../../runtime/rows/changes.ts";
import { subjects } from "../../runtime/rows/subjects.ts";
import type { Trouble } from "../../runtime/errors/trouble.ts";
import { Acks } from "./acks.ts";
import { answered, asPortError, isNobodyThere, orAbsent, tooLarge } from "./client-errors.ts";
import type { Pulse } from "./pulse.ts";
import { STREAMS } from "./streams.ts";

const OPERATOR_MS = 10_000;
/** How long the loss of a stream is reported: for as long as the stream would have kept its messages. */
const TOLD_MS = 24 * 60 * 60 * 1000;

export interface OutletOptions {
  readonly clock: Clock;
  readonly pulse: Pick<Pulse, "isLongSilent" | "check">;
  /** Creates a stream if it is missing. @returns whether the stream was missing. */
  readonly remake: (stream: string) => Promise<boolean>;
}

export class NatsOutlet implements Outlet {
  readonly #connection: NatsConnection;
  readonly #acks: Acks;
  readonly #manager: JetStreamManager;
  readonly #options: OutletOptions;
  readonly #making = new Map<string, Promise<void>>();
  /** The time at which each stream was created again after a loss, ms. */
  readonly #made = new Map<string, number>();
  #closed = false;

  constructor(connection: NatsConnection, manager: JetStreamManager, options: OutletOptions) {
    this.#connection = connection;
    this.#acks = new Acks(connection, options.clock);
    this.#manager = manager;
    this.#options = options;
  }

  async publish({ messageId, log, subject, about, body }: OutgoingChange): Promise<void> {
    const { workspace, sessionId, entity, to, at, traceparent } = about;
    const attributes = {
      "ce-specversion": "1.0",
      "ce-id": messageId,
      "ce-source": "signalbox",
      ...(log !== undefined && { "ce-log": log }),
      "ce-type": subjects.changeType(entity, to),
      "ce-subject": `${workspace}/${sessionId}`,
      ...defined({ traceparent }),
      ...(typeof at === "number" && { "ce-time": new Date(at).toISOString() }),
    };
    await this.#put(STREAMS.changes, subject, body, messageId, attributes);
  }

  async lastVersion(workspace: string, session: string, log?: string): Promise<number> {
    const filter = subjects.stateFilter({ workspace, session });
    const last = await orAbsent(this.#manager.streams.getMessage(STREAMS.changes, { last_by_subj: filter }));
    const id = last?.header.get("Nats-Msg-Id") ?? "";
    const line = `${lineIdOf(workspace, session, log)}:`;
    return id.startsWith(line) ? Number(id.slice(line.length)) : 0;
  }

  async publishLetter({ messageId, subject, headers: said, body }: OutgoingLetter): Promise<void> {
    await this.#put(STREAMS.deadLetters, subject, body, messageId, said);
  }

  async notify({ subject, body }: Notice): Promise<void> {
    if (this.#closed) throw closed();
    try {
      this.#connection.publish(subject, body);
      await this.#connection.flush();
    } catch (error) {
      throw answered(error) === "too-large" ? tooLarge(error) : asPortError(error);
    }
  }

  troubles(): readonly Trouble[] {
    const now = this.#options.clock.now();
    return [...this.#made].flatMap(([stream, since]) =>
      now - since < TOLD_MS ? madeAgain(stream, since) : [],
    );
  }

  close(): Promise<void> {
    this.#closed = true;
    return Promise.resolve();
  }

  async #put(
    stream: string,
    subject: string,
    body: string,
    messageId: string,
    said: Readonly<Record<string, string>>,
  ): Promise<void> {
    if (this.#closed) throw closed();
    const { pulse } = this.#options;
    if (pulse.isLongSilent) pulse.check();
    const headers = Object.entries({ ...said, "content-type": "application/json" });
    const message = { stream, subject, body, id: messageId, headers };
    try {
      await this.#acks.publish(message).catch(async (error: unknown) => {
        if (!isNobodyThere(error)) throw error;
        await this.#ensure(stream);
        return this.#acks.publish(message);
      });
    } catch (error) {
      throw notTaken(error, stream);
    }
  }

  /** Creates a missing stream, once for all callers that miss it. */
  #ensure(stream: string): Promise<void> {
    const before = this.#making.get(stream);
    if (before) return before;
    const making = this.#options
      .remake(stream)
      .then((isNew) => {
        if (isNew) this.#made.set(stream, this.#options.clock.now());
      })
      .finally(() => this.#making.delete(stream));
    this.#making.set(stream, making);
    return making;
  }
}

/** The error for a message that was not published. A RefusedError is about this message, a RetryableError about all messages. */
function notTaken(error: unknown, stream: string): Error {
  const known = asPortError(error);
  switch (answered(error)) {
    case "too-large":
      return tooLarge(error);
    case "forbidden":
      return known;
    case "full":
      return new RetryableError(
        "STREAM_FULL",
        `The stream ${stream} accepts no more messages.`,
        "Give the NATS server's JetStream more room: its disk, or the limits of the server or the account.",
        OPERATOR_MS,
      );
    case "wrong-stream":
      return new RetryableError(
        "STREAM_DIFFERS",
        `Another stream takes the messages that belong into ${stream}.`,
        "Remove the subjects of this stream from the other stream (nats stream ls), or delete the other stream.",
        OPERATOR_MS,
      );
    case "refused":
    case undefined:
      // If the stream is missing and cannot be created, no session's messages can be published, so a refusal, too, becomes an
      // error after which the outlet tries again.
      if (!(known instanceof RefusedError)) return known;
      return new RetryableError(known.code, known.message, known.next, OPERATOR_MS, { cause: known });
  }
}

const madeAgain = (stream: string, since: number): Trouble => ({
  code: "STREAM_MADE_AGAIN",
  message: `The stream ${stream} was deleted, and the engine made it again: its old messages are gone.`,
  next: "The engine still has what is missing, in its lists, histories and dead letters. Check who may delete streams.",
  since,
  isEssential: false,
});

const closed = (): RetryableError =>
  new RetryableError(
    "OUTLET_CLOSED",
    "The outlet is closed.",
    "The outlet opens again at the next start.",
    1000,
  );
