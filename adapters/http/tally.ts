// Tally
// Counts and times what happens while the engine runs: requests, calls, approvals, response times.
//
//   Owns:          which counters each change raises, the buckets of the response times.
//   Does not own:  the text of the metrics (metrics.ts), figures from the store (runtime).
//
// TALLY-1. Every name and label comes from a small fixed set: no metric contains an id, or a text that a caller sent.
// TALLY-2. The counters start at zero with the process, as is usual for Prometheus; figures that outlast the process are read
//     from the store.

import type { Entity, StateChange } from "../../runtime/rows/changes.ts";
import type { Engine } from "../../runtime/engine/engine.ts";
import { AwaitedWords, type Looked } from "./awaited-words.ts";
import type { ApprovalView, CallView, RequestView } from "../../runtime/rows/views.ts";

/** Upper bounds of the buckets for long times, in seconds. */
const LONG = [0.1, 0.5, 1, 5, 15, 60, 300, 900, 3_600, 14_400, 86_400] as const;
const SHORT = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5] as const;

export class Histogram {
  readonly bounds: readonly number[];
  /** How many values fell into each bucket, without those of lower buckets. The last one has values above the highest bound. */
  readonly counts: number[];
  sum = 0;

  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  add(ms: number): void {
    const seconds = Math.max(0, ms) / 1_000;
    const found = this.bounds.findIndex((bound) => seconds <= bound);
    const at = found === -1 ? this.bounds.length : found;
    this.counts[at] = (this.counts[at] ?? 0) + 1;
    this.sum += seconds;
  }
}

type Family<T> = Map<string, T>;

const COUNTERS: Partial<Readonly<Record<Entity, string>>> = {
  request: "request_transitions",
  callback: "callbacks",
  toolcall: "tool_call_transitions",
  approval: "approval_transitions",
};

const MATCHES = "tool_call_matches";
const INTENTS = "tool_call_intents";
const LOOKUPS = "intent_lookups";
const LATE = "intent_late";
export const LABELS: ReadonlyMap<string, string> = new Map([
  [MATCHES, "how"],
  [INTENTS, "source"],
  [LOOKUPS, "outcome"],
]);

export class Tally {
  /** Counters by name, then by the state that was entered; the state is "" for a counter without states. */
  readonly counters = new Map<string, Family<number>>();
  readonly histograms = new Map<string, Family<Histogram>>();
  readonly awaited = new AwaitedWords();
  readonly #unsubscribe: () => void;

  constructor(engine: Pick<Engine, "onChanges">) {
    this.#unsubscribe = engine.onChanges((changes) => {
      for (const change of changes) this.#take(change);
    });
  }

  close(): void {
    this.#unsubscribe();
  }

  answered(what: "write" | "lookup", ms: number): void {
    this.#time(what, "", ms, SHORT);
  }

  #take(change: StateChange): void {
    const { entity, from, to, view } = change;
    const counter = COUNTERS[entity];
    if (counter === undefined) return;
    count(this.counters, counter, to);
    // The casts are safe: the view in a change is a view of the entity that the change names (runtime/rows/changes).
    if (entity === "request") this.#request(from, to, view as RequestView);
    else if (entity === "toolcall") this.#call(change, view as CallView);
    else if (entity === "approval") this.#approval(to, view as ApprovalView);
  }

  #request(from: string | null, to: string, view: RequestView): void {
    const { createdAt, processingStartedAt, completedAt, runningForMs } = view;
    if (to === "processing" && from !== "waiting" && processingStartedAt !== undefined)
      this.#time("request_queue", "", processingStartedAt - createdAt, LONG);
    if (to !== "completed" && to !== "failed" && to !== "timeout") return;
    if (completedAt !== undefined) this.#time("request", to, completedAt - createdAt, LONG);
    this.#time("request_running", to, runningForMs, LONG);
  }

  #call({ workspace, sessionId, id, to, at }: StateChange, view: CallView): void {
    const { createdAt, startedAt = createdAt, closedAt, was, intent, match } = view;
    if (closedAt === undefined) return;
    const key = `${workspace}/${sessionId}/${id}`;
    const isFirst = to !== "annotated" && was === undefined;
    this.#looked(isFirst ? this.awaited.ended(key, view, at) : this.awaited.amended(key, view, at));
    if (to === "annotated") return;
    this.#time("tool_call", to, closedAt - startedAt, LONG);
    if (was !== undefined) return;
    count(this.counters, MATCHES, match.how);
    count(this.counters, INTENTS, intent?.source ?? "none");
  }

  #looked(list: readonly Looked[]): void {
    for (const each of list) {
      count(this.counters, LOOKUPS, each.outcome);
      if (each.outcome === "found") this.#time(LATE, "", each.lateMs, SHORT);
    }
  }

  #approval(to: string, { askedAt, closedAt }: ApprovalView): void {
    if (closedAt === undefined || to === "annotated") return;
    this.#time("approval_wait", to, closedAt - askedAt, LONG);
  }

  #time(name: string, state: string, ms: number, bounds: readonly number[]): void {
    const family = familyOf(this.histograms, name);
    let histogram = family.get(state);
    if (!histogram) family.set(state, (histogram = new Histogram(bounds)));
    histogram.add(ms);
  }
}

function count(families: Map<string, Family<number>>, name: string, state: string): void {
  const family = familyOf(families, name);
  family.set(state, (family.get(state) ?? 0) + 1);
}

function familyOf<T>(families: Map<string, Family<T>>, name: string): Family<T> {
  let family = families.get(name);
  if (!family) families.set(name, (family = new Map<string, T>()));
  return family;
}
