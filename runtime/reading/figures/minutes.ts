// Minutes
// Counts for each minute of the last day how calls ended, and how many approvals were requested and answered.
//
//   Owns:          the counters, dropping old minutes, adding up the minutes of an interval.
//   Does not own:  making the changes that are counted (turn), reading the changes (series).
//
// MINUTES-1. A day has 1,440 rows of counters, however much happened.

import { ENDED_STATES } from "../../rows/call-states.ts";
import type { StateChange } from "../../rows/changes.ts";

/** The counts of one minute, or of several consecutive minutes. */
export interface Bucket {
  /** When the first minute began, ms. */
  readonly at: number;
  readonly changes: number;
  /** How many calls ended, in whatever state. */
  readonly ended: number;
  readonly completed: number;
  readonly failed: number;
  readonly denied: number;
  /** How many calls ended although the agent had not reported their end. */
  readonly unreported: number;
  readonly asked: number;
  readonly answered: number;
  /** How long the approvals in `answered` had waited, added up, ms. */
  readonly waitedMs: number;
  /** The longest time that one of the approvals in `answered` had waited, ms. */
  readonly waitedMaxMs: number;
}

/** The counts of a minute that may still change. `left`: how many approvals stopped waiting, for whatever reason. */
export type Minute = { -readonly [K in keyof Bucket]: Bucket[K] } & { left: number };

export const MINUTE_MS = 60_000;
const KEPT_MS = 24 * 60 * MINUTE_MS;
const ENDS: ReadonlySet<string> = new Set(ENDED_STATES);
/** The states of an answered approval. An approval that was withdrawn or expired has no answer. */
const ANSWERS: ReadonlySet<string> = new Set(["approved", "denied"]);

export const minuteOf = (at: number): number => at - (at % MINUTE_MS);

const emptyAt = (at: number): Minute => ({
  ...{ at, changes: 0, ended: 0, completed: 0, failed: 0, denied: 0, unreported: 0 },
  ...{ asked: 0, left: 0, answered: 0, waitedMs: 0, waitedMaxMs: 0 },
});

export class Minutes {
  readonly #all = new Map<number, Minute>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  count({ at, entity, from, to, view }: StateChange): void {
    const minute = this.#of(minuteOf(at));
    minute.changes += 1;
    if (entity === "toolcall") countEnd(minute, to);
    // The cast is safe: the change of an approval holds the view of an approval (rows/changes).
    if (entity === "approval")
      countApproval(minute, from, to, Math.max(0, at - (view as { askedAt: number }).askedAt));
  }

  /** The counts of several consecutive minutes, added up; the first minute begins at `at`. */
  over(at: number, minutes: number): Minute {
    const sum = emptyAt(at);
    for (let n = 0; n < minutes; n += 1) {
      const minute = this.#all.get(at + n * MINUTE_MS);
      if (minute) add(sum, minute);
    }
    return sum;
  }

  #of(at: number): Minute {
    const known = this.#all.get(at);
    if (known) return known;
    const oldest = this.#now() - KEPT_MS;
    for (const old of this.#all.keys()) if (old < oldest - MINUTE_MS) this.#all.delete(old);
    const minute = emptyAt(at);
    this.#all.set(at, minute);
    return minute;
  }
}

function countEnd(minute: Minute, to: string): void {
  if (!ENDS.has(to)) return;
  minute.ended += 1;
  if (to === "completed" || to === "failed" || to === "denied") minute[to] += 1;
  else minute.unreported += 1;
}

function countApproval(minute: Minute, from: string | null, to: string, waitedMs: number): void {
  if (to === "pending") minute.asked += 1;
  else if (from === "pending" && to !== "annotated") minute.left += 1;
  if (!ANSWERS.has(to)) return;
  minute.answered += 1;
  minute.waitedMs += waitedMs;
  minute.waitedMaxMs = Math.max(minute.waitedMaxMs, waitedMs);
}

function add(sum: Minute, minute: Minute): void {
  const { at, waitedMaxMs, ...counts } = minute;
  sum.waitedMaxMs = Math.max(sum.waitedMaxMs, waitedMaxMs);
  // Every field except `at` and `waitedMaxMs` is a counter.
  for (const [name, count] of Object.entries(counts) as [keyof typeof counts, number][]) sum[name] += count;
}
