// Pull
// The messages of a consumer, asked for a batch at a time, and nothing that is not certain.
//
//   Owns:          the pull requests, heartbeats, noticing that a message may be missing.
//   Does not own:  making the consumer, what to do when it is lost (feed).
//
// Y7. The next batch is asked for when the last has been taken: a slow subscriber holds at most one batch.
// Y8. Deliveries are counted; a break, a silence, a status that is not understood or a number left out ends the pull.

import { createInbox, type Msg, nanos } from "nats";
import { forbidden } from "./failures.ts";
import type { Link } from "./link.ts";

const BATCH = 256;
const EXPIRES_MS = 30_000;
const HEARTBEAT_MS = 5_000;
/** Two heartbeats and some time for a busy machine. */
const SILENCE_MS = 15_000;

/** The consumer may have lost something: it must be made again. */
export class LostError extends Error {}

export interface Pulled {
  readonly message: Msg;
  /** Its number in the stream. */
  readonly sequence: number;
}

/** What a batch ended with: whether more were waiting when its last message was sent. */
export interface BatchEnd {
  readonly delivered: number;
}

/** @throws LostError, RefusedError FORBIDDEN; ends when the link is closed or `signal` is aborted. */
export async function* pull(
  link: Link,
  subject: string,
  signal: AbortSignal,
): AsyncGenerator<Pulled | BatchEnd> {
  const inbox = new Inbox(link, subject, signal);
  let delivered = 0;
  try {
    for (;;) {
      inbox.ask();
      for (let left = BATCH; left > 0;) {
        const message = await inbox.next();
        if (!message) return;
        if (message.subject === inbox.subject) {
          const code = message.headers?.code ?? 0;
          if (code === HEARTBEAT) continue;
          if (code === EXPIRED) break;
          throw new LostError(`the server said ${code} ${message.headers?.description ?? ""}`);
        }
        const { sequence, delivery } = numbersOf(message);
        delivered += 1;
        if (delivery !== delivered) throw new LostError(`delivery ${delivered} is missing`);
        left -= 1;
        yield { message, sequence };
      }
      yield { delivered };
    }
  } finally {
    inbox.close();
  }
}

/** Where a consumer's messages come in, and everything that says no more will. */
class Inbox {
  readonly subject: string;
  readonly #link: Link;
  readonly #source: string;
  readonly #signal: AbortSignal;
  readonly #waiting: Msg[] = [];
  readonly #stops: readonly (() => unknown)[];
  #lost: Error | undefined;
  #wake = (): void => undefined;

  constructor(link: Link, source: string, signal: AbortSignal) {
    const { breaks, connection, settings } = link;
    this.subject = createInbox(settings.connection.inboxPrefix);
    this.#link = link;
    this.#source = source;
    this.#signal = signal;
    const wake = (): void => this.#wake();
    const subscription = connection.subscribe(this.subject, {
      callback: (error, message) => {
        if (error) return this.#lose(error);
        this.#waiting.push(message);
        this.#wake();
      },
    });
    signal.addEventListener("abort", wake);
    this.#stops = [
      link.onChange(() =>
        link.breaks === breaks ? wake() : this.#lose(new LostError("the connection broke")),
      ),
      link.onForbidden((what) => what === source && this.#lose(forbidden(`publishing to ${source}`))),
      () => signal.removeEventListener("abort", wake),
      () => subscription.unsubscribe(),
    ];
  }

  ask(): void {
    const request = { batch: BATCH, expires: nanos(EXPIRES_MS), idle_heartbeat: nanos(HEARTBEAT_MS) };
    this.#link.connection.publish(this.#source, JSON.stringify(request), { reply: this.subject });
  }

  /** @returns undefined once it is over. @throws what the rest was lost to, behind what had come before. */
  async next(): Promise<Msg | undefined> {
    for (;;) {
      if (this.#signal.aborted || this.#link.ended.aborted) return undefined;
      const message = this.#waiting.shift();
      if (message) return message;
      if (this.#lost) throw this.#lost;
      // Only who waits can tell silence: a subscriber that takes its time asks for nothing meanwhile.
      const silence = setTimeout(() => this.#lose(new LostError("the server is silent")), SILENCE_MS);
      await new Promise<void>((resolve) => (this.#wake = resolve));
      clearTimeout(silence);
    }
  }

  close(): void {
    for (const stop of this.#stops) stop();
  }

  #lose(why: Error): void {
    this.#lost ??= why;
    this.#wake();
  }
}

const HEARTBEAT = 100;
const EXPIRED = 408;

/** `$JS.ACK.<stream>.<consumer>.<tries>.<sequence>.<delivery>.<time>.<pending>`; newer servers add tokens on both sides. */
function numbersOf({ reply = "" }: Msg): { readonly sequence: number; readonly delivery: number } {
  const tokens = reply.split(".");
  const shift = tokens.length > 9 ? 2 : 0;
  const [sequence, delivery] = [Number(tokens[5 + shift]), Number(tokens[6 + shift])];
  if (!Number.isSafeInteger(sequence) || !Number.isSafeInteger(delivery))
    throw new LostError("a message has no place in the stream");
  return { sequence, delivery };
}
