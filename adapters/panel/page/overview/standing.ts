// Standing
// The engine's figures, as last reported, updated by the changes since.
//
//   Owns:          the numbers by state, the position.
//   Does not own:  asking (overview.tsx), the figures of the last hour: the engine counts those.
//
// STANDING-1. A change is counted once: an answer names the last change it includes, and only later ones are added.
// STANDING-2. A request is counted once: as one that waits for a person, or as one that goes on.

import type { Entity, StateChange } from "../../../../runtime/rows/changes.ts";
import type { Stats, StatsWithin } from "../../../../runtime/reading/figures/stats.ts";

/** @param waiting as told: `100+` where more wait than were counted. @returns how many of those being processed do not wait. */
export function goingOn(processing: number, waiting = "0"): string {
  const left = Math.max(0, processing - parseInt(waiting, 10)).toLocaleString();
  return waiting.endsWith("+") && left !== "0" ? `≤ ${left}` : left;
}

type Counted = keyof Stats["counts"];

const KINDS: Readonly<Partial<Record<Entity, Counted>>> = {
  session: "sessions",
  request: "requests",
  approval: "approvals",
};

/** A request that waits for a person is counted as one that is being processed. */
const stateOf = (state: string | null): string => (state === "waiting" ? "processing" : (state ?? ""));

/** @param changes in the order of the log, those the stats count already among them. */
export function moved(stats: Stats | StatsWithin, changes: readonly StateChange[]): Stats | StatsWithin {
  // The change does not say which counts it alters, so all are counted again.
  if (!("changes" in stats)) return stats;
  const later = changes.filter(({ n }) => n > stats.changes);
  const last = later.at(-1);
  if (!last) return stats;
  const counts = { ...stats.counts };
  for (const { entity, from, to } of later) {
    const kind = KINDS[entity];
    if (kind === undefined || to === "annotated") continue;
    counts[kind] = added(added(counts[kind], stateOf(from), -1), stateOf(to), 1);
  }
  const { n, turn, at } = last;
  return {
    ...stats,
    counts,
    changes: n,
    position: Math.max(stats.position, turn),
    at: Math.max(stats.at, at),
  };
}

/** States that are not counted stay so. */
function added(
  counts: Readonly<Record<string, number>>,
  state: string,
  by: number,
): Readonly<Record<string, number>> {
  const before = counts[state];
  return before === undefined ? counts : { ...counts, [state]: Math.max(0, before + by) };
}
