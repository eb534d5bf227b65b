// NATS outlet
// State changes and dead letters, each on its subject in their streams; notices to whoever listens.
//
//   Owns:          how each looks on the wire; what the stream has of a session.
//   Does not own:  order and retries (runtime/outbox).
//
// G4. Publishing resolves once the stream has the change; the same change twice in the duplicate window stands there once.

import { type JetStreamClient, type JetStreamManager, headers, type NatsConnection, NatsError } from "nats";
import { RetryableError } from "../../runtime/errors.ts";
import type { Notice, OutgoingChange, OutgoingLetter, Outlet } from "../../runtime/ports.ts";
import { subjects } from "../../runtime/subjects.ts";
import { problem } from "./problem.ts";
import { STREAMS } from "./streams.ts";

const ACK_MS = 5_000;
const NOT_FOUND = 404;

export class NatsOutlet implements Outlet {
  readonly #connection: NatsConnection;
  readonly #stream: JetStreamClient;
  readonly #manager: JetStreamManager;
  #closed = false;

  constructor(connection: NatsConnection, manager: JetStreamManager) {
    this.#connection = connection;
    this.#stream = connection.jetstream();
    this.#manager = manager;
  }

  async publish({ messageId, subject, body }: OutgoingChange): Promise<void> {
    if (this.#closed) throw closed();
    const attributes = headers();
    // A change's body is JSON the runtime wrote.
    const { workspace, sessionId, entity, to, at } = JSON.parse(body) as Record<string, unknown>;
    attributes.set("ce-specversion", "1.0");
    attributes.set("ce-id", messageId);
    attributes.set("ce-source", "signalbox");
    attributes.set("ce-type", subjects.changeType(String(entity), String(to)));
    attributes.set("ce-subject", `${String(workspace)}/${String(sessionId)}`);
    if (typeof at === "number") attributes.set("ce-time", new Date(at).toISOString());
    attributes.set("content-type", "application/json");
    await this.#stream.publish(subject, body, {
      msgID: messageId,
      expect: { streamName: STREAMS.changes },
      headers: attributes,
      timeout: ACK_MS,
    });
  }

  async lastVersion(workspace: string, session: string): Promise<number> {
    const filter = subjects.stateFilter({ workspace, session });
    try {
      const last = await this.#manager.streams.getMessage(STREAMS.changes, { last_by_subj: filter });
      const id = last.header.get("Nats-Msg-Id");
      return Number(id.slice(id.lastIndexOf(":") + 1));
    } catch (error) {
      if (error instanceof NatsError && error.api_error?.code === NOT_FOUND) return 0;
      throw problem(error);
    }
  }

  async publishLetter({ messageId, subject, headers: said, body }: OutgoingLetter): Promise<void> {
    if (this.#closed) throw closed();
    const attributes = headers();
    for (const [name, value] of Object.entries(said)) attributes.set(name, value);
    attributes.set("content-type", "application/json");
    await this.#stream.publish(subject, body, {
      msgID: messageId,
      expect: { streamName: STREAMS.deadLetters },
      headers: attributes,
      timeout: ACK_MS,
    });
  }

  async notify({ subject, body }: Notice): Promise<void> {
    if (this.#closed) throw closed();
    this.#connection.publish(subject, body);
    await this.#connection.flush();
  }

  close(): Promise<void> {
    this.#closed = true;
    return Promise.resolve();
  }
}

const closed = (): RetryableError =>
  new RetryableError("OUTLET_CLOSED", "The outlet is closed.", "It goes on at the next start.", 1000);
