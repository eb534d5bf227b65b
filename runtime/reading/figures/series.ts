// Series
// Divides the last minutes, hours or day into intervals, and counts for each interval how calls ended, how many approvals waited,
// and how long.
//
//   Owns:          reading the change log back as far as a query needs; the lengths of time that a query can ask for, and their
//                  intervals.
//   Does not own:  the counts of one minute (minutes), drawing the chart.
//   Decided in:    docs/decisions/0048-charts-of-the-last-day.md.
//
// SERIES-1. Each change in the queried time counts once. The counts are made from the change log alone. The first query after a
//     start reads the log back as far as it needs, 250 rows at a time, and waits for this. A later query reads only what is
//     still missing.
// SERIES-2. One answer reads at most 20,000 rows and has at most 96 intervals. If these rows do not go back far enough, the
//     answer names the time from which on its counts are complete, and the next query reads further back.
// SERIES-3. A row that cannot be read is reported and left out. All other rows are counted.

import { setImmediate } from "node:timers/promises";
import type { Engine } from "../../engine/engine.ts";
import { keys } from "../../rows/keys.ts";
import { countIn } from "../../rows/meta.ts";
import type { Clock } from "../../ports.ts";
import { decodeTurnChanges, type TurnChanges } from "../../rows/turn-changes.ts";
import { bad } from "../parameters.ts";
import { type Bucket, MINUTE_MS, Minutes, minuteOf } from "./minutes.ts";

/** How long each span and each of its intervals is, in minutes. */
const SPANS = {
  "15m": { minutes: 15, step: 1 },
  "1h": { minutes: 60, step: 1 },
  "6h": { minutes: 360, step: 5 },
  "24h": { minutes: 1_440, step: 15 },
} as const;

export type SeriesSpan = keyof typeof SPANS;

export interface Interval extends Bucket {
  /** How many approvals waited at the end of the interval; in the last interval, how many wait now. */
  readonly waiting: number;
}

export interface SeriesAnswer {
  /** All intervals, oldest first, including intervals in which nothing happened. */
  readonly items: readonly Interval[];
  /** How long one interval is, ms. */
  readonly stepMs: number;
  /** Present if changes before this time, ms, are not counted yet. */
  readonly since?: number;
}

const ROWS_MAX = 20_000;
const ROWS_AT_ONCE = 250;

interface Reading {
  readonly minutes: Minutes;
  /** The key of the oldest row that was read. */
  below: string;
  /** All changes at or after this time are counted, ms. */
  since: number;
}

export class Series {
  readonly #engine: Engine;
  readonly #clock: Clock;
  readonly #rowsMax: number;
  #read: Reading | undefined;
  #reading: Promise<void> | undefined;

  constructor(engine: Engine, clock: Clock, rowsMax = ROWS_MAX) {
    this.#engine = engine;
    this.#clock = clock;
    this.#rowsMax = rowsMax;
    engine.onChanges((changes) => {
      for (const change of changes) this.#read?.minutes.count(change);
    });
  }

  /** @throws RefusedError BAD_PARAMETER for a span other than 15m, 1h, 6h and 24h. */
  async read(span = "1h"): Promise<SeriesAnswer> {
    const { minutes, step } = spanOf(span);
    const stepMs = step * MINUTE_MS;
    // Each interval begins at a multiple of its length, so the last interval is not over yet.
    const first = (): number => {
      const now = this.#clock.now();
      return now - (now % stepMs) - (minutes - step) * MINUTE_MS;
    };
    // Counting begins with the first query for a series: an engine that gets no such query counts nothing.
    const reading = (this.#read ??= this.#begin());
    while (this.#reading) await this.#reading;
    if (reading.since > first()) {
      this.#reading = this.#readBack(reading, first()).finally(() => (this.#reading = undefined));
      await this.#reading;
    }
    const from = first();
    const items = this.#waiting(
      Array.from({ length: minutes / step }, (_, n) => reading.minutes.over(from + n * stepMs, step)),
    );
    return { items, stepMs, ...(reading.since > from && { since: reading.since }) };
  }

  #begin(): Reading {
    return {
      minutes: new Minutes(() => this.#clock.now()),
      // The listener counts all later changes.
      below: keys.change(this.#engine.meta().changes + 1),
      since: Infinity,
    };
  }

  async #readBack(reading: Reading, to: number): Promise<void> {
    const limit = Math.min(ROWS_AT_ONCE, this.#rowsMax);
    for (let read = 0; read < this.#rowsMax; read += limit) {
      const range = { gte: keys.changes, lt: reading.below, limit, reverse: true };
      const rows = [...this.#engine.store.range(range)];
      for (const [key, text] of rows) {
        const turn = this.#decoded(key, text);
        if (turn && turn.at < to) return void (reading.since = to);
        for (const change of turn?.changes ?? []) reading.minutes.count(change);
        if (turn) reading.since = minuteOf(turn.at) + MINUTE_MS;
        reading.below = key;
      }
      if (rows.length < limit) return void (reading.since = 0);
      await setImmediate();
    }
  }

  #decoded(key: string, text: string): TurnChanges | undefined {
    try {
      return decodeTurnChanges(text);
    } catch (error) {
      this.#engine.defects.ofRow(key, error);
      return undefined;
    }
  }

  /**
   * Computes how many approvals waited at the end of each interval: goes back from the number that waits now, subtracts the
   * approvals that were requested later, and adds those that stopped waiting later.
   */
  #waiting(buckets: readonly (Bucket & { readonly left: number })[]): readonly Interval[] {
    let waiting = countIn(this.#engine.meta().counts, "approval", "pending");
    const items: Interval[] = [];
    for (const { left, ...bucket } of buckets.toReversed()) {
      items.push({ ...bucket, waiting });
      waiting = Math.max(0, waiting - bucket.asked + left);
    }
    return items.reverse();
  }
}

function spanOf(name: string): (typeof SPANS)[SeriesSpan] {
  if (Object.hasOwn(SPANS, name)) return SPANS[name as SeriesSpan];
  throw bad("span", `is none of ${Object.keys(SPANS).join(", ")}`);
}
