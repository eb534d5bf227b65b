// News
// Decides when the feed asks again: when a change was published, when the connection is back, or after a long silence.
//
//   Owns:          the live subscription; the shortest and the longest pause between queries.
//   Does not own:  reading changes, and passing them to subscribers (feed).
//
// NEWS-1. A message on the live subject causes only a query, and its content is ignored: any user may publish there.

import { setTimeout as sleep } from "node:timers/promises";
import { attempts } from "./attempts.ts";
import { failureOf } from "./failures.ts";
import type { Link } from "./link.ts";

/** Many changes at once cause one query. */
const APART_MS = 20;
/** The longest pause: a live message may be lost between servers of a cluster, or if the engine cannot publish. */
const QUIET_MS = 15_000;

export class News {
  readonly #link: Link;
  readonly #stops: readonly (() => unknown)[];
  #isRung = false;
  #askedAt = 0;
  #failure: Error | undefined;
  #wake = (): void => undefined;

  constructor(link: Link, subject: string, signal: AbortSignal) {
    this.#link = link;
    const ring = (): void => this.#ring();
    signal.addEventListener("abort", ring);
    const subscription = link.connection.subscribe(subject, {
      callback: (error) => {
        if (error) this.#failure ??= failureOf(error, `listening to ${subject}`);
        ring();
      },
    });
    this.#stops = [
      link.onChange(ring),
      () => signal.removeEventListener("abort", ring),
      () => subscription.unsubscribe(),
    ];
  }

  /**
   * Resolves once the server has made the subscription. @throws RefusedError FORBIDDEN if the user may not subscribe;
   * RetryableError
   */
  async ready(): Promise<void> {
    const { connection, settings } = this.#link;
    // The server reports a refused subscription before it answers the flush.
    await attempts(this.#link, "listening", settings.deadlineMs, () => connection.flush());
    this.#check();
  }

  /** Live messages from now on cause another query. */
  asking(): void {
    this.#isRung = false;
    this.#askedAt = performance.now();
  }

  /** Resolves when it is time for the next query. @throws RefusedError FORBIDDEN */
  async wait(): Promise<void> {
    const quiet = setTimeout(() => this.#ring(), QUIET_MS);
    if (!this.#isRung) await new Promise<void>((resolve) => (this.#wake = resolve));
    clearTimeout(quiet);
    this.#check();
    await sleep(Math.max(0, this.#askedAt + APART_MS - performance.now()));
  }

  close(): void {
    for (const stop of this.#stops) stop();
  }

  #ring(): void {
    this.#isRung = true;
    this.#wake();
  }

  #check(): void {
    if (this.#failure) throw this.#failure;
  }
}
