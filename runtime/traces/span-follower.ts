// Span follower
// Reads the log of changes on for a sink that keeps its place: as changes come, and from the log where it is behind.
//
//   Owns:          how far the log was read; catching up.
//   Does not own:  the queue and its bound, the place on disk, sending (adapters).
//
// SPAN-FOLLOWER-1. Every change is looked at once, in order, however the process ends: the log is the buffer of a queue
//     that is full, and of one that was lost.
// SPAN-FOLLOWER-2. A turn waits for nothing: a change that comes costs a look at its kind. (by review: it is a listener
//     of what is durable)
// SPAN-FOLLOWER-3. While catching up, what ended more than an hour ago is skipped and counted, and so is what the log
//     has let go of.

import { setImmediate as nextTick } from "node:timers/promises";
import type { Bell } from "../bell.ts";
import type { Engine } from "../engine/engine.ts";
import type { Clock } from "../ports.ts";
import { changesAfter } from "../reading/following.ts";
import type { StateChange } from "../rows/changes.ts";
import { endedBy } from "./spans-of.ts";
import type { EndedSpan } from "./span.ts";

/** Where spans wait to be sent. */
export interface SpanQueue {
  /** It takes some more all the same: what stands in one page. */
  readonly isFull: boolean;
  /** Rings when it is no longer full. */
  readonly room: Bell;
  /** @param n the change that ended it. */
  add(span: EndedSpan, n: number): void;
  /** Changes up to here have been looked at. */
  reached(n: number): void;
  /** Spans were skipped. */
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
  /** Changes up to here have been looked at; undefined before the first. */
  #at: number | undefined;
  #isCaughtUp = false;
  #catchingUp: Promise<void> = Promise.resolve();

  /** Hears of changes from now on. */
  constructor(options: FollowerOptions) {
    this.#options = options;
    this.#unsubscribe = options.engine.onChanges((changes) => this.#hear(changes));
  }

  /** The place in the log up to which all was looked at. */
  placeOf(n: number): string {
    return `${this.#options.engine.incarnation}-${n}`;
  }

  /**
   * Begins once the engine is ready.
   * @param place where an earlier process was; undefined for the changes of this one.
   * @returns the place where it begins.
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
    // Before it is ready, the engine applies what waited in its journal.
    this.#at ??= first.n - 1;
    if (!this.#isCaughtUp) return;
    if (!this.#options.queue.isFull) {
      this.#look(changes);
      return;
    }
    this.#isCaughtUp = false;
    this.#catchingUp = this.#catchUp(this.placeOf(this.#at));
  }

  /** SPAN-FOLLOWER-1. */
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

  /** @param since skips earlier changes, ms. */
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
