// Journal time
// Makes the engine's time from the stamps of entries, which may jump.
//
//   Owns:          how far a stamp is believed; the time for order and display, the time for age, the time for deadlines.
//   Does not own:  the stamps (journals), watching the clock between entries (clock-watch), what is old (sweep, alarms).
//   Decided in:    docs/decisions/0021-believed-clocks.md.
//
// JOURNAL-TIME-1. The time of entries never goes back, whatever their stamps do.
// JOURNAL-TIME-2. A stamp more than 35 days before or after the previous one is not believed. The time then continues from
//     where it was, by the differences between such stamps, until a stamp fits again.
// JOURNAL-TIME-3. Removal and deadlines count by the believed stamp. After a clock was set back, this stamp is before the time of
//     the entries.
// JOURNAL-TIME-4. When an operator accepts the clock, the time moves to it, and no deadline loses its remaining time.

import { defined } from "../../machines/index.ts";
const DAY_MS = 24 * 60 * 60 * 1000;
/** A machine that was off for a month is believed; a clock that is years wrong is not. */
export const BELIEVED_MS = 35 * DAY_MS;

/** The state of the clock that stamps the journal; absent while the clock is in order. */
export interface ClockState {
  /** The believed time, if it is behind the time of entries; 0 if any stamp is believed. */
  readonly believed?: number;
  /** While the clock is not believed: one of its stamps, and the time at that stamp. */
  readonly off?: { readonly at: number; readonly stamp: number };
  /** The time skipped when the clock was accepted: it does not count for deadlines. */
  readonly skipped?: number;
}

export interface JournalTime {
  /** The time of the last entry; 0 before the first. */
  readonly at: number;
  readonly clock?: ClockState | undefined;
}

/** The believed time, by which age counts. */
export const believedOf = ({ at, clock }: JournalTime): number => clock?.believed ?? at;

/** The time by which deadlines count. */
export const dueOf = (time: JournalTime): number => believedOf(time) - (time.clock?.skipped ?? 0);

/** The time for reading another journal, whose stamps may be of any time. */
export const afresh = ({ at, clock }: JournalTime): JournalTime => ({
  at,
  clock: { believed: 0, ...defined({ skipped: clock?.skipped }) },
});

export function follow(before: JournalTime, stamp: number): JournalTime {
  const believed = believedOf(before);
  const isNear = (time: number): boolean => Math.abs(time - believed) <= BELIEVED_MS;
  if (believed === 0 || isNear(stamp)) return stand(before, stamp);
  const off = before.clock?.off;
  const goneOn = off ? off.at + (stamp - off.stamp) : Infinity;
  return isNear(goneOn) ? stand(before, goneOn, off) : stand(before, believed, { at: believed, stamp });
}

/** The time while the clock is not believed, as counted by a process. */
export function reckon(time: JournalTime, reckoned: number): JournalTime {
  const off = time.clock?.off;
  const missedMs = reckoned - believedOf(time);
  if (!off || missedMs <= 0 || missedMs > BELIEVED_MS) return time;
  return stand(time, reckoned, { at: off.at + missedMs, stamp: off.stamp });
}

/** The time after an operator accepted the clock; if the clock is believed, or behind, nothing moves. */
export function accept(time: JournalTime): JournalTime {
  const off = time.clock?.off;
  if (!off || off.stamp <= off.at) return time;
  const stamp = off.stamp + (believedOf(time) - off.at);
  return { at: stamp, clock: { skipped: stamp - dueOf(time) } };
}

function stand({ at: before, clock }: JournalTime, believed: number, off?: ClockState["off"]): JournalTime {
  const at = Math.max(before, believed);
  const skipped = clock?.skipped;
  const isPlain = at === believed && !off && skipped === undefined;
  if (isPlain) return { at, clock: undefined };
  return { at, clock: { ...(believed < at && { believed }), ...defined({ off, skipped }) } };
}
