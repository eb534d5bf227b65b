// Histograms
// Counts durations in histograms, since the process began.
//
//   Owns:          the series and the buckets of each.
//   Does not own:  what is measured (runtime/traces), the format (otlp-json).
//
// HISTOGRAMS-1. There are at most 2,000 series. Values that would need a further series are not counted.

import type { Measure, MeasureName } from "../../../runtime/traces/span.ts";
import { BUCKETS_SECONDS } from "../buckets.ts";
import { ToolNames } from "../tool-names.ts";

export interface Series {
  readonly name: MeasureName;
  readonly attributes: Readonly<Record<string, string>>;
  readonly count: number;
  /** The sum of all values, in seconds. */
  readonly sum: number;
  /** How many values are in each bucket: one count for each bound, and one for values above the last bound. */
  readonly buckets: readonly number[];
}

interface Counting extends Series {
  count: number;
  sum: number;
  readonly buckets: number[];
}

const SERIES_MAX = 2_000;

export class Histograms {
  readonly #series = new Map<string, Counting>();
  readonly #tools = new ToolNames();

  get all(): Iterable<Series> {
    return this.#series.values();
  }

  record({ name, seconds, attributes: said }: Measure): void {
    const attributes = this.#tools.bounded(said);
    // The key is the same for the same attributes: no value has a line break, and they always come in the same order.
    const key = `${name}\n${Object.values(attributes).join("\n")}`;
    const series = this.#series.get(key) ?? this.#begin(key, name, attributes);
    if (!series) return;
    const over = BUCKETS_SECONDS.findIndex((bound) => seconds <= bound);
    const place = over < 0 ? BUCKETS_SECONDS.length : over;
    series.count += 1;
    series.sum += seconds;
    series.buckets[place] = (series.buckets[place] ?? 0) + 1;
  }

  #begin(key: string, name: MeasureName, attributes: Series["attributes"]): Counting | undefined {
    if (this.#series.size >= SERIES_MAX) return undefined;
    const buckets = Array.from({ length: BUCKETS_SECONDS.length + 1 }, () => 0);
    const series = { name, attributes, count: 0, sum: 0, buckets };
    this.#series.set(key, series);
    return series;
  }
}
