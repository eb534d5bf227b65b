// Journal time
// Computes the engine's time from the stamps of entries, even if these stamps jump.
//
//   Owns:          which stamps are believed; the time for order and display, the time for age, the time for deadlines.
//   Does not own:  the stamps (journals), watching the clock between entries (clock-watch), what is old (sweep, alarms).
//   Decided in:    docs/decisions/0021-believed-clocks.md.
//
// JOURNAL-TIME-1. The engine's time never goes back from one entry to the next, whatever the stamps of the entries are.
// JOURNAL-TIME-2. A stamp more than 35 days before or after the previous believed stamp is not believed. The time then continues
//     from the last believed stamp, by the differences between the stamps that are not believed, until a stamp is believed again.
// JOURNAL-TIME-3. Removals and deadlines count by the believed stamp, not by the engine's time: after a clock was set back, the
//     stamp is the earlier of the two.
// JOURNAL-TIME-4. When an operator accepts the clock, the engine's time jumps to the clock's time, and every deadline keeps the
//     time that remained until it.

import { defined } from "../../machines/index.ts";
const DAY_MS = 24 * 60 * 60 * 1000;
/**
 * A stamp is believed if it is at most this far, ms, from the last believed time. So the engine believes the clock of a machine
 * that was off for a month, but not a clock that is years wrong.
 */
export const BELIEVED_MS = 35 * DAY_MS;

/** The state of the clock that stamps the journal; absent while the clock is in order. */
export interface ClockState {
  /** The believed time, if it is earlier than the last entry's time; 0 if the next stamp is believed, whatever it is. */
  readonly believed?: number;
  /** Present while the clock is not believed: one of the clock's stamps, and the journal time at that stamp. */
  readonly off?: { readonly at: number; readonly stamp: number };
  /** How much time was skipped when an operator accepted the clock, ms. This time does not count for deadlines. */
  readonly skipped?: number;
}

export interface JournalTime {
  /** The time of the last entry; 0 before the first entry. */
  readonly at: number;
  readonly clock?: ClockState | undefined;
}

/** The believed time, by which the age of rows is measured. */
export const believedOf = ({ at, clock }: JournalTime): number => clock?.believed ?? at;

/** The time by which deadlines count: a deadline at or before it has come. */
export const dueOf = (time: JournalTime): number => believedOf(time) - (time.clock?.skipped ?? 0);

/** The time with which the reading of another journal begins, because that journal's stamps may be of any time. */
export const afresh = ({ at, clock }: JournalTime): JournalTime => ({
  at,
  clock: { believed: 0, ...defined({ skipped: clock?.skipped }) },
});

/** The time of an entry with this stamp, after an entry of the time `before` (JOURNAL-TIME-2). */
export function follow(before: JournalTime, stamp: number): JournalTime {
  const believed = believedOf(before);
  const isNear = (time: number): boolean => Math.abs(time - believed) <= BELIEVED_MS;
  if (believed === 0 || isNear(stamp)) return stand(before, stamp);
  const off = before.clock?.off;
  const goneOn = off ? off.at + (stamp - off.stamp) : Infinity;
  return isNear(goneOn) ? stand(before, goneOn, off) : stand(before, believed, { at: believed, stamp });
}

/**
 * The journal time while the clock is not believed.
 * @param reckoned that time, as a process has counted it by its monotonic clock.
 */
export function reckon(time: JournalTime, reckoned: number): JournalTime {
  const off = time.clock?.off;
  const missedMs = reckoned - believedOf(time);
  if (!off || missedMs <= 0 || missedMs > BELIEVED_MS) return time;
  return stand(time, reckoned, { at: off.at + missedMs, stamp: off.stamp });
}

/** The journal time after an operator accepted the clock. If the clock is believed, or is behind, the time does not change. */
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
