// Series
// The last hour in minutes: how much changed, how many calls ended, how long approvals waited for people.
//
//   Owns:          the buckets.
//   Does not own:  the changes (turn), how the numbers are drawn.
//
// SERIES-1. Each change of the hour counts once. The series is built from the change log alone: after a restart the
//     hour is read again from its rows, a few at a time. Only whoever asks first waits for it.

import { setImmediate } from "node:timers/promises";
import { ENDED_STATES } from "../rows/call-states.ts";
import type { StateChange } from "../rows/changes.ts";
import type { Engine } from "../engine/engine.ts";
import { keys } from "../rows/keys.ts";
import type { Clock } from "../ports.ts";
import { decodeTurnChanges } from "../rows/turn-changes.ts";

export interface Bucket {
  /** The start of the minute, ms. */
  readonly at: number;
  readonly changes: number;
  /** Calls that ended. */
  readonly ended: number;
  readonly asked: number;
  readonly answered: number;
  /** How long the approvals answered in this minute had waited, in sum and at most, ms. */
  readonly waitedMs: number;
  readonly waitedMaxMs: number;
}

const MINUTE_MS = 60_000;
const MINUTES = 60;
/** A start reads no more of the log than this. */
const ROWS_MAX = 20_000;
const ROWS_AT_ONCE = 250;
const ENDS: ReadonlySet<string> = new Set(ENDED_STATES);
/** Nobody answered an approval that was withdrawn or expired. */
const ANSWERS: ReadonlySet<string> = new Set(["approved", "denied"]);

const emptyAt = (at: number): Bucket => ({
  at,
  changes: 0,
  ended: 0,
  asked: 0,
  answered: 0,
  waitedMs: 0,
  waitedMaxMs: 0,
});

export class Series {
  readonly #engine: Engine;
  readonly #clock: Clock;
  readonly #buckets = new Map<number, Bucket>();
  #reading: Promise<void> | undefined;

  constructor(engine: Engine, clock: Clock) {
    this.#engine = engine;
    this.#clock = clock;
    engine.onChanges((changes) => {
      if (this.#reading) for (const change of changes) this.#count(change);
    });
  }

  /** The last hour, oldest minute first, quiet minutes included. */
  async read(): Promise<readonly Bucket[]> {
    // Read when first asked for, so that an engine nobody watches counts nothing.
    await (this.#reading ??= this.#readLog());
    const now = minuteOf(this.#clock.now());
    return Array.from({ length: MINUTES }, (_, index) => {
      const at = now - (MINUTES - 1 - index) * MINUTE_MS;
      return this.#buckets.get(at) ?? emptyAt(at);
    });
  }

  async #readLog(): Promise<void> {
    const since = this.#since();
    // The listener will be told of later ones.
    let below = keys.change(this.#engine.meta().changes + 1);
    for (let read = 0; read < ROWS_MAX; read += ROWS_AT_ONCE) {
      const range = { gte: keys.changes, lt: below, limit: ROWS_AT_ONCE, reverse: true };
      const rows = [...this.#engine.store.range(range)];
      for (const [key, text] of rows) {
        const { at, changes } = decodeTurnChanges(text);
        if (at < since) return;
        for (const change of changes) this.#count(change);
        below = key;
      }
      if (rows.length < ROWS_AT_ONCE) return;
      await setImmediate();
    }
  }

  #since(): number {
    return minuteOf(this.#clock.now()) - (MINUTES - 1) * MINUTE_MS;
  }

  #count({ at, entity, to, view }: StateChange): void {
    const minute = minuteOf(at);
    const before = this.#buckets.get(minute) ?? this.#begin(minute);
    const isAnswer = entity === "approval" && ANSWERS.has(to);
    // The view in an approval's change is an approval's (rows/changes).
    const waitedMs = isAnswer ? Math.max(0, at - (view as { askedAt: number }).askedAt) : 0;
    this.#buckets.set(minute, {
      at: minute,
      changes: before.changes + 1,
      ended: before.ended + (entity === "toolcall" && ENDS.has(to) ? 1 : 0),
      asked: before.asked + (entity === "approval" && to === "pending" ? 1 : 0),
      answered: before.answered + (isAnswer ? 1 : 0),
      waitedMs: before.waitedMs + waitedMs,
      waitedMaxMs: Math.max(before.waitedMaxMs, waitedMs),
    });
  }

  #begin(minute: number): Bucket {
    for (const old of this.#buckets.keys()) if (old < this.#since()) this.#buckets.delete(old);
    return emptyAt(minute);
  }
}

const minuteOf = (at: number): number => at - (at % MINUTE_MS);
