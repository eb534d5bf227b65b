// Standing
// The engine's figures as last read from the engine, plus the changes received since.
//
//   Owns:          after a change, the new number of actors in each state, and the new position of the engine in the journal.
//   Does not own:  reading the figures (overview.tsx), figures over time (charts/).
//
// STANDING-1. Each change is counted once: the engine's answer names the last change in its figures, and the page adds only
//     later changes.
// STANDING-2. Each request is counted once: as waiting for a person or as running, never as both.

import type { Entity, StateChange } from "../../../../runtime/rows/changes.ts";
import type { Stats, StatsWithin } from "../../../../runtime/reading/figures/stats.ts";

/** How many requests run (STANDING-2). @param waiting how many wait for a person: `100+` if more wait than were counted. */
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

/** The state under which the engine counts a request: one that waits for a person counts as processing. */
const stateOf = (state: string | null): string => (state === "waiting" ? "processing" : (state ?? ""));

/** Adds changes, in the log's order, to figures that may already include some (STANDING-1). */
export function moved(stats: Stats | StatsWithin, changes: readonly StateChange[]): Stats | StatsWithin {
  // Figures of only some workspaces do not say which changes they include, so no change is added to them: the page reads the
  // figures again.
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

/** Adds to the count of a state. If the engine does not count the state, nothing is added. */
function added(
  counts: Readonly<Record<string, number>>,
  state: string,
  by: number,
): Readonly<Record<string, number>> {
  const before = counts[state];
  return before === undefined ? counts : { ...counts, [state]: Math.max(0, before + by) };
}
