// News
// Decides when the feed asks again: when a change was published, when the connection is back, or after a long silence.
//
//   Owns:          the live subscription (to the subjects on which the engine publishes changes); the shortest and the longest
//                  pause between two queries.
//   Does not own:  reading changes, and passing them to subscribers (feed).
//
// NEWS-1. A message on a live subject only makes the feed ask the engine for changes. The message's content is ignored, because
//     any user may publish there.

import { setTimeout as sleep } from "node:timers/promises";
import { attempts } from "./attempts.ts";
import { failureOf } from "./failures.ts";
import type { Link } from "./link.ts";

/** The least pause between two queries, so that many changes in a short time cause one query. */
const APART_MS = 20;
/**
 * The longest pause between two queries. A message that announces a change may be lost in a cluster, or the engine may be unable
 * to publish it: the next query then finds the change.
 */
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

  /** Resolves once the NATS server has accepted the subscription. @throws RefusedError FORBIDDEN; RetryableError */
  async ready(): Promise<void> {
    const { connection, settings } = this.#link;
    // If the NATS server refuses a subscription, it reports that before it answers the flush.
    await attempts(this.#link, "listening", settings.deadlineMs, () => connection.flush());
    this.#check();
  }

  /** Called when a query begins: live messages that come from now on cause another query. */
  asking(): void {
    this.#isRung = false;
    this.#askedAt = performance.now();
  }

  /** Waits until the next query for changes should be made. @throws RefusedError FORBIDDEN */
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
