// Metrics
// The metrics of the engine's state and performance, in Prometheus's text format.
//
//   Owns:          the names of the metrics and their text.
//   Does not own:  the numbers (runtime, tally.ts).
//
// METRICS-1. Every metric's name and labels come from a small fixed set, so that there are few time series, with one exception:
//     the names of up to 100 workspaces that exceed their quota are labels, too (ALLOWANCE-3).

import { pendingIn } from "../../runtime/reading/figures/pending.ts";
import { stats, STATES } from "../../runtime/reading/figures/stats.ts";
import type { Standing } from "../../runtime/cluster/standing.ts";
import type { Serving } from "./context.ts";
import { type Histogram, LABELS, type Tally } from "./tally.ts";

export function metrics(serving: Serving, isReady: boolean): string {
  const { engine, door, followers, counters, tally } = serving;
  const ready: Readonly<Record<string, number>> = { signalbox_ready: isReady ? 1 : 0 };
  const { journal, outlet, waiting } = engine.isReady ? engine.lag() : { journal: 0, outlet: 0, waiting: 0 };
  const { position, changes, audits, deads } = engine.isReady ? engine.meta() : NOTHING;
  const rows = {
    ...ready,
    signalbox_epoch: engine.epoch,
    signalbox_journal_position: position,
    signalbox_journal_lag: journal,
    signalbox_journal_full: engine.journalFull ? 1 : 0,
    signalbox_outlet_lag: outlet,
    signalbox_waiting: waiting,
    signalbox_changes_total: changes,
    signalbox_audits_total: audits,
    signalbox_dead_letters_total: deads,
    signalbox_refusals_total: door.refusals.total,
    signalbox_hooks_dropped_total: counters.hooksDropped,
    signalbox_hooks_late_total: counters.hooksLate,
    signalbox_followers: followers.count,
    signalbox_intent_awaited: tally.awaited.size,
  };
  const shared = sharedOf(serving.standing?.());
  const codes = new Set(serving.troubles().map(({ code }) => code));
  const troubles = [...codes].map((code) => `signalbox_trouble{code="${code}"} 1\n`);
  const turnedAway = [...engine.allowance.turnedAway].map(
    ([workspace, count]) => `signalbox_over_quota_total{workspace="${workspace}"} ${count}\n`,
  );
  const stored = engine.isReady ? standing(serving) : [];
  const others = lines({ ...serving.counts?.(), ...serving.logs.figures() });
  return [
    ...lines({ ...rows, ...shared }),
    ...others,
    ...turnedAway,
    ...troubles,
    ...stored,
    ...counted(tally),
  ].join("");
}

const sharedOf = (of: Standing | undefined): Readonly<Record<string, number>> =>
  of
    ? {
        signalbox_owner: of.role === "owner" ? 1 : 0,
        signalbox_term: of.term,
        signalbox_journal_lag: of.lag,
        signalbox_stale_total: of.stale,
        ...(of.spares !== undefined && { signalbox_spares: of.spares }),
        ...(of.uncompared !== undefined && { signalbox_uncompared_changes: of.uncompared }),
      }
    : {};

const NOTHING = { position: 0, changes: 0, audits: 0, deads: 0 };

const lines = (rows: Readonly<Record<string, number>>): readonly string[] =>
  Object.entries(rows).map(([name, value]) => `${name} ${value}\n`);

function standing({ engine, queries, clock }: Serving): readonly string[] {
  const { counts } = stats(engine);
  const byState = (Object.keys(STATES) as (keyof typeof STATES)[]).flatMap((what) =>
    Object.entries(counts[what]).map(([state, n]) => `signalbox_${what}{state="${state}"} ${n}\n`),
  );
  const { calls, results, dropped, isPart } = pendingIn(engine.store, (key, error) =>
    engine.defects.ofRow(key, error),
  );
  const { openRequests = 0, replayed = 0 } = engine.recovered ?? {};
  return [
    ...byState,
    ...lines({
      signalbox_approvals_oldest_seconds: oldestWait(queries, clock.now()) / 1_000,
      signalbox_pending_calls: calls,
      signalbox_pending_results: results,
      signalbox_dropped_results: dropped,
      signalbox_pending_partial: isPart ? 1 : 0,
      signalbox_recovered_requests: openRequests,
      signalbox_recovered_entries: replayed,
    }),
  ];
}

/** How long the oldest pending approval has waited, ms; 0 if none is pending. */
function oldestWait(queries: Serving["queries"], now: number): number {
  const [first] = queries.listApprovals({ state: "pending" }, { limit: 1, order: "oldest" }).items;
  return first ? Math.max(0, now - first.askedAt) : 0;
}

function counted({ counters, histograms }: Tally): readonly string[] {
  const totals = [...counters].flatMap(([name, family]) => [
    `# TYPE signalbox_${name}_total counter\n`,
    ...[...family].map(
      ([value, n]) => `signalbox_${name}_total${labelled({ [LABELS.get(name) ?? "state"]: value })} ${n}\n`,
    ),
  ]);
  const times = [...histograms].flatMap(([name, family]) => [
    `# TYPE signalbox_${name}_seconds histogram\n`,
    ...[...family].flatMap(([state, histogram]) =>
      histogramLines(`signalbox_${name}_seconds`, state, histogram),
    ),
  ]);
  return [...totals, ...times];
}

function histogramLines(name: string, state: string, { bounds, counts, sum }: Histogram): readonly string[] {
  let below = 0;
  const buckets = counts.map((count, at) => {
    below += count;
    return `${name}_bucket${labelled({ state, le: String(bounds[at] ?? "+Inf") })} ${below}\n`;
  });
  return [
    ...buckets,
    `${name}_sum${labelled({ state })} ${sum}\n`,
    `${name}_count${labelled({ state })} ${below}\n`,
  ];
}

function labelled(labels: Readonly<Record<string, string>>): string {
  const told = Object.entries(labels).filter(([, value]) => value !== "");
  return told.length === 0 ? "" : `{${told.map(([name, value]) => `${name}="${value}"`).join(",")}}`;
}
