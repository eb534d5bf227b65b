// Publisher
// Publishes messages to the journal: in their order per session, and each again until the journal acknowledges it.
//
//   Owns:          one queue per session, what happens to the messages after a failed one, the id by which the stream notices
//                  repeats.
//   Does not own:  the envelope (messages), retrying (attempts).
//
// PUBLISHER-1. For each session, only one message at a time waits for its acknowledgement: so an attempt that is repeated cannot
//     come after a later message.
// PUBLISHER-2. All attempts for a message share one `msgID`, by which the stream notices repeats, so that it stores the message
//     once. The `msgID` is random, because all publishers share the stream's list of such ids. If the first attempt already
//     counts as a duplicate, somebody else has used the id and the stream has not stored the message: the next attempt uses a
//     new one.
// PUBLISHER-3. If a message was not stored, the messages queued after it are not sent.

import type { JetStreamClient, PubAck } from "nats";
import { headersWith } from "../connect.ts";
import { randomUUID } from "node:crypto";
import { v7 } from "uuid";
import { RetryableError } from "../../../runtime/errors/errors.ts";
import { subjects } from "../../../runtime/rows/subjects.ts";
import { attempts } from "./attempts.ts";
import type { Link } from "./link.ts";
import { envelopeOf, type Published, type PublishOptions, type Said } from "./messages.ts";

export class Publisher {
  readonly #link: Link;
  readonly #jetstream: JetStreamClient;
  /** The last message of each session whose acknowledgement is still awaited. */
  readonly #lines = new Map<string, Promise<unknown>>();

  constructor(link: Link) {
    this.#link = link;
    this.#jetstream = link.connection.jetstream();
  }

  /** @throws RefusedError TOO_LARGE, FORBIDDEN, RetryableError NOT_ACKNOWLEDGED, NOBODY_THERE, JOURNAL_FULL, NOT_SENT */
  async publish(said: Omit<Said, "id" | "source">, options: PublishOptions): Promise<Published> {
    const { source, deadlineMs } = this.#link.settings;
    const { workspace, session, type } = said;
    const id = options.id ?? v7();
    // An invalid message is refused before it is queued, so that it does not block later messages.
    const body = envelopeOf({ ...said, source, id }, options);
    const subject = subjects.input(workspace, session, type);
    const line = `${workspace}/${session}`;
    const before = this.#lines.get(line);
    const sent = (async (): Promise<Published> => {
      if (before) await before.catch((cause: unknown) => Promise.reject(notSent(id, cause)));
      const send = this.#sending(subject, body);
      const taken = await attempts(
        this.#link,
        `${type} of ${line}, id ${id}`,
        options.deadlineMs ?? deadlineMs,
        send,
      );
      return { id, position: taken.seq, duplicate: taken.duplicate };
    })();
    this.#lines.set(line, sent);
    try {
      return await sent;
    } finally {
      if (this.#lines.get(line) === sent) this.#lines.delete(line);
    }
  }

  /** @returns a function that makes one attempt (PUBLISHER-2). The caller repeats the call until it succeeds. */
  #sending(subject: string, body: Uint8Array): (timeoutMs: number) => Promise<PubAck> {
    let msgID = randomUUID();
    let isFirst = true;
    return async (timeout) => {
      const wasFirst = isFirst;
      isFirst = false;
      const headers = headersWith([["Content-Type", "application/cloudevents+json"]]);
      const taken = await this.#jetstream.publish(subject, body, { msgID, timeout, headers });
      if (!taken.duplicate || !wasFirst) return taken;
      msgID = randomUUID();
      isFirst = true;
      throw squatted(subject);
    };
  }

  /** Resolves once no acknowledgement is awaited any more. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#lines.values());
  }
}

const squatted = (subject: string): RetryableError =>
  new RetryableError(
    "NOT_ACKNOWLEDGED",
    `The NATS server took a new message on ${subject} for a duplicate, and did not store it.`,
    "Send the message again: it then has another id in the stream.",
    0,
  );

const notSent = (id: string, cause: unknown): RetryableError =>
  new RetryableError(
    "NOT_SENT",
    `${id} was not sent: an earlier message of its session was not accepted.`,
    "Send the earlier message again, then this message.",
    0,
    { cause },
  );
