// Talk
// Follows the messages of client and agent, and passes messages about sessions to the protocol's functions.
//
//   Owns:          the client's requests that wait for a response, which function gets a message.
//   Does not own:  which messages are passed on (proxy), which need an approval (gates), what a message means (each protocol).
//
// PROXY-TALK-1. This class only reads messages: it never changes, delays or drops a message.

import { type Fields, isFields } from "../../machines/json.ts";
import { Bounded } from "./bounded.ts";
import type { Calls } from "./calls.ts";
import { type Id, type Message } from "./message.ts";
import { type SessionParts, Sessions } from "./sessions.ts";

export interface TalkParts extends SessionParts {
  readonly calls: Calls;
  readonly say: (text: string) => void;
}

/** The functions with which a protocol reads messages about sessions, by method. Messages of other methods are ignored. */
export interface TalkWords {
  readonly sessionIn: (params: Fields) => string | undefined;
  /** Called for each request. @returns a text, such as an id for the prompt, that `answered` gets as `kept` with the answer. */
  readonly requested?: (method: string, params: Fields) => string | undefined;
  readonly answered: Readonly<Record<string, (answer: Answered) => void>>;
  /** A function for each method, called with a notification that names a session. @param line the message as it came. */
  readonly notified: Readonly<Record<string, (session: string, params: Fields, line: Uint8Array) => void>>;
  readonly passed?: (lines: Uint8Array) => void;
}

export interface Answered extends Waiting {
  /** The result in the answer; empty if the answer is an error. */
  readonly result: Fields;
  readonly isError: boolean;
}

interface Waiting {
  readonly method: string;
  readonly params: Fields;
  readonly session: string | undefined;
  readonly kept: string | undefined;
}

export type Waits = (isMeant: (waiting: Waiting) => boolean) => boolean;

const WAITING_MAX = 1_000;

export class Talk {
  readonly sessions: Sessions;
  readonly #words: TalkWords;
  readonly #waiting = new Bounded<Id, Waiting>(WAITING_MAX);

  constructor(
    parts: TalkParts,
    words: (parts: TalkParts & { readonly sessions: Sessions; readonly waits: Waits }) => TalkWords,
  ) {
    this.sessions = new Sessions(parts);
    const waits: Waits = (isMeant) => [...this.#waiting.values()].some(isMeant);
    this.#words = words({ ...parts, sessions: this.sessions, waits });
  }

  clientSaid(message: Message): void {
    const { answered, requested, sessionIn } = this.#words;
    if (message.type !== "request" || !Object.hasOwn(answered, message.method)) return;
    const { id, method, params } = message;
    const kept = requested?.(method, params);
    this.#waiting.set(id, { method, params, session: sessionIn(params), kept });
  }

  /** @param line the message as it came. */
  agentSaid(message: Message, line: Uint8Array): void {
    const { answered, notified, sessionIn } = this.#words;
    if (message.type !== "answer") {
      const { method, params } = message;
      const session = Object.hasOwn(notified, method) ? sessionIn(params) : undefined;
      if (session !== undefined) notified[method]?.(session, params, line);
      return;
    }
    const { id, result, isError } = message;
    const asked = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (asked)
      answered[asked.method]?.({ ...asked, isError, result: !isError && isFields(result) ? result : {} });
  }

  passed(lines: Uint8Array): void {
    this.#words.passed?.(lines);
  }
}
