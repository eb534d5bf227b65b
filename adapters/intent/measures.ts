// Measures
// Counts the outcomes of lookups, and reports problems.
//
//   Owns:          the counters, the latencies of the last thousand lookups, how slow or unsuccessful lookups must be for a
//                  report.
//   Does not own:  what is done with a reported problem.
//
// INTENT-MEASURES-1. Calls for which nobody wrote a reason are counted apart, neither as failures nor as successes.

import type { Intent } from "../../machines/inputs.ts";
import { type ExtractedIntent, type IntentOutcome, NOTHING_SKIPPED, type SkippedLines } from "./query.ts";

export interface IntentCounts {
  readonly lookups: number;
  /** How many lookups read their file. All other lookups used cached lines, because the file had not changed. */
  readonly filesRead: number;
  readonly outcomes: Readonly<Record<IntentOutcome, number>>;
  /** How often the words of a lookup came from each source. */
  readonly sources: Readonly<Record<Intent["source"], number>>;
  /** How often a call was found by its id, by its input, or by its tool's name. */
  readonly methods: Readonly<Record<"id" | "input" | "name", number>>;
  /** How often a lookup found no words, by the code of the reason. */
  readonly codes: Readonly<Record<string, number>>;
  readonly skipped: SkippedLines;
  /** How long the last 1,024 lookups took, ms. */
  readonly latency: { readonly p50Ms: number; readonly p95Ms: number; readonly maxMs: number };
  /** The share of lookups that found words, among those whose call had words; 1 if there was no such lookup. */
  readonly successRate: number;
  /** The share of lookups whose file could not be read. */
  readonly errorRate: number;
}

export interface IntentAlert {
  readonly name: "low-success" | "high-latency" | "many-errors";
  readonly figure: number;
  readonly limit: number;
  readonly text: string;
}

const KEPT = 1_024;
/** Before this many lookups, no alert is reported: a rate of so few lookups says little. */
const LOOKUPS_MIN = 20;
const SUCCESS_MIN = 0.95;
const P95_MAX_MS = 500;
const ERRORS_MAX = 0.01;

export class Measures {
  readonly #outcomes = { found: 0, "none-written": 0, "not-found": 0, unreadable: 0 };
  readonly #sources = { message: 0, parent: 0, display: 0, description: 0, prompt: 0 };
  readonly #methods = { id: 0, input: 0, name: 0 };
  readonly #codes = new Map<string, number>();
  readonly #skipped: { -readonly [K in keyof SkippedLines]: number } = { ...NOTHING_SKIPPED };
  readonly #took: number[] = [];
  #lookups = 0;
  #filesRead = 0;

  addFile(): void {
    this.#filesRead += 1;
  }

  add({ outcome, source, call, code, skipped }: ExtractedIntent, ms: number): void {
    this.#took[this.#lookups % KEPT] = ms;
    this.#lookups += 1;
    this.#outcomes[outcome] += 1;
    if (source) this.#sources[source] += 1;
    if (call) this.#methods[call.how] += 1;
    if (code) this.#codes.set(code, (this.#codes.get(code) ?? 0) + 1);
    for (const key of KEYS) this.#skipped[key] += skipped[key];
  }

  counts(): IntentCounts {
    const sorted = [...this.#took].sort((a, b) => a - b);
    const at = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
    const { found, "none-written": none, unreadable } = this.#outcomes;
    const sought = this.#lookups - none;
    return {
      lookups: this.#lookups,
      filesRead: this.#filesRead,
      outcomes: { ...this.#outcomes },
      sources: { ...this.#sources },
      methods: { ...this.#methods },
      codes: Object.fromEntries(this.#codes),
      skipped: { ...this.#skipped },
      latency: { p50Ms: at(0.5), p95Ms: at(0.95), maxMs: at(1) },
      successRate: sought === 0 ? 1 : found / sought,
      errorRate: this.#lookups === 0 ? 0 : unreadable / this.#lookups,
    };
  }

  /** The present problems, after at least twenty lookups. */
  alerts(): readonly IntentAlert[] {
    const { lookups, successRate, errorRate, latency } = this.counts();
    if (lookups < LOOKUPS_MIN) return [];
    const alerts: IntentAlert[] = [];
    if (successRate < SUCCESS_MIN)
      alerts.push({
        name: "low-success",
        figure: successRate,
        limit: SUCCESS_MIN,
        text: `An intent was found for ${percent(successRate)} of the calls that have one; at least ${percent(SUCCESS_MIN)} are expected.`,
      });
    if (latency.p95Ms > P95_MAX_MS)
      alerts.push({
        name: "high-latency",
        figure: latency.p95Ms,
        limit: P95_MAX_MS,
        text: `One lookup in twenty took more than ${Math.round(latency.p95Ms)} ms; at most ${P95_MAX_MS} ms are expected.`,
      });
    if (errorRate > ERRORS_MAX)
      alerts.push({
        name: "many-errors",
        figure: errorRate,
        limit: ERRORS_MAX,
        text: `${percent(errorRate)} of the lookups found a file that cannot be read; at most ${percent(ERRORS_MAX)} are expected.`,
      });
    return alerts;
  }
}

// The cast is safe: the constant has these keys and no others.
const KEYS = Object.keys(NOTHING_SKIPPED) as (keyof SkippedLines)[];
const percent = (share: number): string => `${Number((share * 100).toFixed(1))} %`;
