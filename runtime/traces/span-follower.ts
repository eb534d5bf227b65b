// Span follower
// Reads the change log for a span sink that remembers how far it has come: first the older changes until it has caught up, then
// new changes as they come.
//
//   Owns:          how far the change log was read; catching up with the log.
//   Does not own:  the queue of spans and its limit, storing how far the log was read, sending spans (adapters).
//
// SPAN-FOLLOWER-1. Every change is read in order, and no change is lost, however the process ends: changes that were dropped
//     because the queue was full, or lost with the queue, are read again from the log.
// SPAN-FOLLOWER-2. No turn waits for spans: the follower hears of a change once it is durable, and only puts the span that the
//     change ends, if any, into a queue. (checked by review: the follower listens to durable changes)
// SPAN-FOLLOWER-3. While it catches up, the follower skips and counts spans that ended more than an hour ago, and changes that
//     were removed from the log.

import { setImmediate as nextTick } from "node:timers/promises";
import type { Bell } from "../bell.ts";
import type { Engine } from "../engine/engine.ts";
import type { Clock } from "../ports.ts";
import { changesAfter } from "../reading/following.ts";
import type { StateChange } from "../rows/changes.ts";
import { endedBy } from "./spans-of.ts";
import type { EndedSpan } from "./span.ts";

export interface SpanQueue {
  /** True if the queue is full. A full queue still takes the spans of one page. */
  readonly isFull: boolean;
  /** Rings when the queue is no longer full. */
  readonly room: Bell;
  /** @param n the change that ended the span. */
  add(span: EndedSpan, n: number): void;
  /** Notes that changes up to this number were read. */
  reached(n: number): void;
  skipped(count: number): void;
}

export interface FollowerOptions {
  readonly engine: Pick<Engine, "incarnation" | "meta" | "store" | "onChanges">;
  readonly clock: Clock;
  readonly queue: SpanQueue;
  readonly onError: (error: unknown) => void;
}

export const OLDEST_MS = 60 * 60 * 1000;
const PAGE = 256;

export class SpanFollower {
  readonly #options: FollowerOptions;
  readonly #stopping = new AbortController();
  readonly #unsubscribe: () => void;
  /** The number up to which changes were read; undefined before the first change. */
  #at: number | undefined;
  #isCaughtUp = false;
  #catchingUp: Promise<void> = Promise.resolve();

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.#unsubscribe = options.engine.onChanges((changes) => this.#hear(changes));
  }

  /** The place in the log after change `n`. */
  placeOf(n: number): string {
    return `${this.#options.engine.incarnation}-${n}`;
  }

  /**
   * Begins to follow the changes. Must be called once the engine is ready. @param place where an earlier process stopped;
   * undefined to begin with the changes of this process. @returns the place where it begins.
   */
  start(place: string | undefined): string {
    this.#at ??= this.#options.engine.meta().changes;
    const from = place ?? this.placeOf(this.#at);
    this.#catchingUp = this.#catchUp(from);
    return from;
  }

  async stop(): Promise<void> {
    this.#unsubscribe();
    this.#stopping.abort();
    await this.#catchingUp;
  }

  #hear(changes: readonly StateChange[]): void {
    const [first] = changes;
    if (!first) return;
    // The engine may make changes before it is ready and `start` is called, from entries that waited in the journal. Then the
    // log is read from the first of these changes on.
    this.#at ??= first.n - 1;
    if (!this.#isCaughtUp) return;
    if (!this.#options.queue.isFull) {
      this.#look(changes);
      return;
    }
    this.#isCaughtUp = false;
    this.#catchingUp = this.#catchUp(this.placeOf(this.#at));
  }

  /** Reads from the log, from `place` on, the changes that the queue has missed (SPAN-FOLLOWER-1). */
  async #catchUp(place: string): Promise<void> {
    const { engine, queue, clock, onError } = this.#options;
    const lost = (_: string, error: unknown): void => onError(error);
    try {
      let after = place;
      while (!this.#stopping.signal.aborted) {
        await nextTick();
        if (queue.isFull) {
          await queue.room.wait(this.#stopping.signal);
          continue;
        }
        const page = changesAfter(engine, {}, { after, limit: PAGE }, lost);
        if (page.gap === "trimmed") queue.skipped(numberOf(page.from) - numberOf(after));
        this.#at = numberOf(page.from);
        this.#look(page.items, clock.now() - OLDEST_MS);
        after = page.next;
        this.#at = numberOf(after);
        queue.reached(this.#at);
        if (page.more) continue;
        this.#isCaughtUp = true;
        return;
      }
    } catch (error) {
      onError(error);
    }
  }

  #look(changes: readonly StateChange[], since = -Infinity): void {
    const { queue } = this.#options;
    for (const change of changes) {
      if (change.n <= (this.#at ?? 0)) continue;
      this.#at = change.n;
      const span = endedBy(change);
      if (!span) continue;
      if (change.at < since) queue.skipped(1);
      else queue.add(span, change.n);
    }
    if (this.#at !== undefined) queue.reached(this.#at);
  }
}

const numberOf = (place: string): number => Number(place.slice(place.lastIndexOf("-") + 1));
