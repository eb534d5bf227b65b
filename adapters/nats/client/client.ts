// Client
// The client that a service uses: it publishes messages, follows changes, queries, decides.
//
//   Owns:          the one object through which a service uses the client.
//   Does not own:  doing the work (publisher, feed, queries, request-reply).

import type { z } from "zod";
import { v7 } from "uuid";
import { defined } from "../../../machines/defined.ts";
import type { DECISION } from "../../../runtime/door/schemas.ts";
import { type StateFilter, subjects } from "../../../runtime/rows/subjects.ts";
import { requestReply } from "./request-reply.ts";
import type { ChangesOptions } from "./changes.ts";
import { Feed, placeNow } from "./feed.ts";
import { type Link, openLink } from "./link.ts";
import type { DataOf, MessageType, Published, PublishOptions } from "./messages.ts";
import { checkId, type ConnectOptions, settingsOf } from "./options.ts";
import { Publisher } from "./publisher.ts";
import { Queries } from "./queries.ts";

/** An approver's answer. To approve, give the `inputHash` of the input that the approver saw. */
export type DecisionSaid = { readonly approvalId: string } & z.input<typeof DECISION>;

/**
 * What became of a decision. `accepted`: it was applied. `counted`: it counts, but more approvers are needed. `early`: it waits,
 * because its approval has not come yet. `ignored`: it came too late. `refused`: it cannot count, for example because it is about
 * another input than the approval's.
 */
export interface Decided {
  readonly result: "accepted" | "counted" | "early" | "ignored" | "refused";
  readonly approvalId: string;
  /** The current state of the approval. */
  readonly state: string;
  readonly reason?: string;
  readonly position: number;
}

/** Publishes messages of one session. */
export interface SessionHandle {
  readonly id: string;
  /**
   * Publishes a message. Messages of one session arrive in the order of these calls.
   * @returns once the journal has stored the message. A message whose data are wrong is stored, too, and becomes a dead letter.
   * @throws RefusedError TOO_LARGE, FORBIDDEN, CLOSED; RetryableError NOT_ACKNOWLEDGED, NOBODY_THERE, JOURNAL_FULL, NOT_SENT:
   * publish again with the same id.
   */
  readonly publish: <T extends MessageType>(
    type: T,
    data: DataOf<T>,
    options?: PublishOptions,
  ) => Promise<Published>;
}

/** The types of messages whose data name a request. */
export type RequestMessageType = {
  [T in Exclude<MessageType, `claude-code.${string}`>]: "requestId" extends keyof DataOf<T> ? T : never;
}[Exclude<MessageType, `claude-code.${string}`>];

/** Publishes messages about one request. Each message gets the request's id as `requestId`. */
export interface RequestHandle {
  readonly id: string;
  readonly session: string;
  readonly publish: <T extends RequestMessageType>(
    type: T,
    data: Omit<DataOf<T>, "requestId">,
    options?: PublishOptions,
  ) => Promise<Published>;
}

export class Client {
  readonly workspace: string;
  readonly query: Queries;
  readonly #link: Link;
  readonly #publisher: Publisher;

  constructor(link: Link) {
    this.#link = link;
    this.#publisher = new Publisher(link);
    this.workspace = link.settings.workspace;
    this.query = new Queries(link);
  }

  /** @throws RefusedError BAD_ID for an id that a subject cannot contain: see `toId`. */
  session(id: string): SessionHandle {
    checkId(id, "session");
    const { workspace } = this;
    return {
      id,
      publish: (type, data, options = {}) =>
        this.#publisher.publish({ workspace, session: id, type, data }, options),
    };
  }

  /** @param session the request's session; by default a session of its own, as over HTTP. @throws RefusedError BAD_ID */
  request(id: string, { session = `r_${id}` }: { readonly session?: string } = {}): RequestHandle {
    checkId(id, "request");
    const { publish } = this.session(session);
    return {
      id,
      session,
      // The cast is safe: each of these types has a `requestId`, which the type of `data` leaves out.
      publish: (type, data, options) =>
        publish(type, { ...data, requestId: id } as unknown as DataOf<typeof type>, options),
    };
  }

  /**
   * A feed of state changes: it yields each change once, in the order of its session, until the client is closed.
   * @throws RefusedError BAD_ID, BAD_CURSOR
   */
  changes(options: ChangesOptions = {}): Feed {
    const { workspace = this.workspace, session, entity, id, state } = options;
    const filter: StateFilter = {
      ...(workspace !== "*" && { workspace }),
      ...defined({ session, entity, id, state }),
    };
    for (const [what, token] of Object.entries(filter)) checkId(String(token), what);
    return new Feed(this.#link, filter, options);
  }

  /**
   * The current cursor. Take it before you read a list or send a message, and begin the feed at it: then you miss no change.
   * @throws RefusedError FORBIDDEN; RetryableError NOBODY_THERE, NOT_ACKNOWLEDGED while no engine runs.
   */
  now(): Promise<string> {
    return placeNow(this.#link);
  }

  /**
   * Answers an approval of this workspace.
   * @param approver the name under which the NATS server lets this user decide.
   * @param options.key with the same key, a decision counts once, however often it is sent; by default a new key.
   * @throws RefusedError UNKNOWN_APPROVAL, FORBIDDEN, WRONG_SHAPE; RetryableError.
   */
  async decide(
    approver: string,
    said: DecisionSaid,
    { key = v7(), deadlineMs }: { readonly key?: string; readonly deadlineMs?: number } = {},
  ): Promise<Decided> {
    checkId(approver, "approver");
    const subject = subjects.decide(this.workspace, approver);
    const reply = await requestReply(this.#link, subject, said, { key, ...defined({ deadlineMs }) });
    // Nothing checks the cast: the engine's service answers on this subject, and its reply to a decision has this type.
    return reply as Decided;
  }

  /** Waits for the answers to messages that were sent, then ends every feed. */
  async close(): Promise<void> {
    await this.#publisher.settled();
    await this.#link.close();
  }
}

/**
 * Connects to the engine's NATS server.
 * @returns the client; it reconnects automatically. Close it before the process ends.
 * @throws RefusedError BAD_OPTION, BAD_ID, NOT_AUTHORISED, NATS_NOT_ENCRYPTED, NATS_NOT_VERIFIED; RetryableError NOT_CONNECTED
 * after `deadlineMs`.
 */
export async function connect(options: ConnectOptions): Promise<Client> {
  return new Client(await openLink(settingsOf(options)));
}
