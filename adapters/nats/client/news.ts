// News
// Says when to ask again: a change was published, the connection is back, or nothing was heard for long.
//
//   Owns:          the live subscription; how often to ask at most and at least.
//   Does not own:  asking, and what subscribers are told (feed).
//
// NEWS-1. A message on the live subject is only a bell: whoever may publish there can ring it, and do no more.

import { setTimeout as sleep } from "node:timers/promises";
import { attempts } from "./attempts.ts";
import { failureOf } from "./failures.ts";
import type { Link } from "./link.ts";

/** Many changes at once cause one query. */
const APART_MS = 20;
/** A bell may get lost: between servers of a cluster, or when the engine cannot publish. */
const QUIET_MS = 15_000;

export class News {
  readonly #link: Link;
  readonly #stops: readonly (() => unknown)[];
  #isRung = false;
  #askedAt = 0;
  #failure: Error | undefined;
  #wake = (): void => undefined;

  /** @param signal ends the wait. */
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
   * Resolves once the server has subscribed us. @throws RefusedError FORBIDDEN when the user may not listen,
   * RetryableError
   */
  async ready(): Promise<void> {
    const { connection, settings } = this.#link;
    // The server reports a refused subscription before it answers this.
    await attempts(this.#link, "listening", settings.deadlineMs, () => connection.flush());
    this.#check();
  }

  /** From here on, a bell is news. */
  asking(): void {
    this.#isRung = false;
    this.#askedAt = performance.now();
  }

  /** Resolves when it is time to ask. @throws RefusedError FORBIDDEN */
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
