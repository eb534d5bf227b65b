// Waiting
// Keeps the callers that wait for the result of their message, and answers them.
//
//   Owns:          which caller waits for which position or key; answering the caller from durable rows.
//   Does not own:  the content of answers (the turn stores each answer under its message's key).
//   Decided in:    docs/decisions/0033-when-callers-are-answered.md.
//
// WAITING-1. A caller is answered only after the commit of the turn that made the answer.
// WAITING-2. A spare answers a caller only once the present owner and every later owner are sure to have the caller's entry.
//     Before that, another engine might give a different answer.

import type { TurnResult, Reply } from "../turn/turn-result.ts";
import { RetryableError } from "../errors/errors.ts";
import { keys } from "../rows/keys.ts";
import type { Store } from "../ports.ts";

interface Waiter {
  /**
   * True if a caller gets the reply, so that WAITING-2 applies; false if the reply only needs the entry to be durable in this
   * engine.
   */
  readonly isCaller: boolean;
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: Error) => void;
}

const RECENT = 4_096;

export class Waiting {
  readonly #byPosition = new Map<number, Waiter[]>();
  readonly #byKey = new Map<string, Promise<Reply>>();
  /**
   * The newest replies, by position. They are stored because a caller may learn its message's position only after the turn is
   * durable.
   */
  readonly #recent = new Map<number, Reply>();
  #settled = 0;
  #abandoned: Error | undefined;
  readonly #store: Store;
  readonly #mayTell: (position: number) => boolean;

  /** @param mayTell whether a caller may be told of a durable entry (WAITING-2). */
  constructor(store: Store, mayTell: (position: number) => boolean = () => true) {
    this.#store = store;
    this.#mayTell = mayTell;
  }

  /** The reply to the message with an idempotency key, durable or still to come; undefined for a key not seen before. */
  attach(key: string): Promise<Reply> | undefined {
    const text = this.#store.get(keys.reply(key));
    if (text === undefined) return this.#byKey.get(key);
    // The cast is safe: only the turn writes reply rows.
    const reply = JSON.parse(text) as Reply;
    return this.#mayTell(reply.position) ? Promise.resolve(reply) : this.answer(reply.position);
  }

  /** Remembers a key whose message is on its way to the journal. */
  expect(key: string, reply: Promise<Reply>): void {
    this.#byKey.set(key, reply);
    const forget = (): boolean => this.#byKey.delete(key);
    reply.then(forget, forget);
  }

  /**
   * The reply to the message at a position, once the reply is durable in this engine.
   * @throws RetryableError ANSWER_FORGOTTEN if the entry was applied, but its reply is not in memory, which has the replies to
   * the last 4,096 positions that this process applied; STOPPING once abandoned.
   */
  at(position: number): Promise<Reply> {
    return this.#wait(position, false);
  }

  /** Does the same as `at`, for a caller who acts on the reply (WAITING-2). */
  answer(position: number): Promise<Reply> {
    return this.#wait(position, true);
  }

  #wait(position: number, isCaller: boolean): Promise<Reply> {
    const isTold = !isCaller || this.#mayTell(position);
    const recent = this.#recent.get(position);
    if (recent && isTold) return Promise.resolve(recent);
    if (this.#abandoned) return Promise.reject(this.#abandoned);
    if (!recent && position <= this.#settled) return Promise.reject(forgotten(position));
    return new Promise((resolve, reject) => {
      const waiters = this.#byPosition.get(position) ?? [];
      this.#byPosition.set(position, [...waiters, { isCaller, resolve, reject }]);
    });
  }

  /** Answers the callers whose turns are now durable. */
  settle(results: readonly TurnResult[]): void {
    for (const { changes: _, defect: _defect, repeats, ...result } of results) {
      const reply = repeats ?? result;
      this.#recent.set(result.position, reply);
      this.#recent.delete(result.position - RECENT);
      this.#settled = result.position;
      this.#tell(result.position, reply);
    }
  }

  /** Answers the callers whose entries are durable and who may now be told (WAITING-2). */
  tell(): void {
    for (const position of this.#byPosition.keys())
      if (position <= this.#settled) this.#tell(position, this.#recent.get(position));
  }

  /** @param reply undefined if this engine has forgotten the reply. */
  #tell(position: number, reply: Reply | undefined): void {
    const waiters = this.#byPosition.get(position);
    if (!waiters) return;
    const mayTell = this.#mayTell(position);
    const left = waiters.filter(({ isCaller }) => isCaller && !mayTell);
    if (left.length > 0) this.#byPosition.set(position, left);
    else this.#byPosition.delete(position);
    for (const { isCaller, resolve, reject } of waiters) {
      if (isCaller && !mayTell) continue;
      if (reply) resolve(reply);
      else reject(forgotten(position));
    }
  }

  /** Rejects the wait of every caller who still waits: this engine will not answer. */
  abandon(): void {
    const error = new RetryableError(
      "STOPPING",
      "The engine stopped before it had saved the answer.",
      "Send the message again with the same Idempotency-Key.",
      1000,
    );
    this.#abandoned = error;
    for (const waiters of this.#byPosition.values()) for (const { reject } of waiters) reject(error);
    this.#byPosition.clear();
  }
}

const forgotten = (position: number): RetryableError =>
  new RetryableError(
    "ANSWER_FORGOTTEN",
    `The engine accepted the message as entry ${position}, but no longer has its result.`,
    "Read the session or approval that the message was about, or send the message again with an Idempotency-Key.",
    1000,
  );
