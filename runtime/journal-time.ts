// Journal time
// What an entry's stamp is worth: the time the engine lives by, made of stamps that may jump.
//
//   Owns:          how far a stamp is believed; the time that orders and shows, the time by which things are old, the time
//                  by which deadlines count.
//   Does not own:  the stamps (journals), watching the clock between entries (clock-watch), what is old (sweep, alarms).
//   Decided in:    docs/decisions/0021-believed-clocks.md.
//
// JOURNAL-TIME-1. The time of entries never goes back, whatever their stamps do.
// JOURNAL-TIME-2. A stamp more than 35 days from that of the entry before, ahead or behind, is not believed: the time
//     goes on from where it was, by what passes between such stamps, until one fits again.
// JOURNAL-TIME-3. What removes or expires goes by the stamp that is believed. After a clock was set back that is the
//     earlier one.
// JOURNAL-TIME-4. An operator who accepts the clock moves the time to it, and takes no deadline's time left.

const DAY_MS = 24 * 60 * 60 * 1000;
/** A machine that was off for a month is believed; a clock that is years wrong is not. */
export const BELIEVED_MS = 35 * DAY_MS;

/** What is known of the clock that stamps the journal; absent while there is nothing to tell. */
export interface ClockState {
  /** The time that is believed, where it is behind that of entries; 0 where any is. */
  readonly believed?: number;
  /** While the clock is not believed: a stamp of it, and what the time was then. */
  readonly off?: { readonly at: number; readonly stamp: number };
  /** What was skipped when the clock was accepted: no deadline has lived through it. */
  readonly skipped?: number;
}

export interface JournalTime {
  /** Of the last entry; 0 before the first. */
  readonly at: number;
  readonly clock?: ClockState | undefined;
}

/** The time that is believed: what is older than it is kept by this. */
export const believedOf = ({ at, clock }: JournalTime): number => clock?.believed ?? at;

/** The time by which deadlines count. */
export const dueOf = (time: JournalTime): number => believedOf(time) - (time.clock?.skipped ?? 0);

/** The time at which another journal is read: the stamps of its entries may be of any time. */
export const afresh = ({ at, clock }: JournalTime): JournalTime => ({
  at,
  clock: { believed: 0, ...(clock?.skipped !== undefined && { skipped: clock.skipped }) },
});

/** The time an entry with this stamp has. */
export function follow(before: JournalTime, stamp: number): JournalTime {
  const believed = believedOf(before);
  const isNear = (time: number): boolean => Math.abs(time - believed) <= BELIEVED_MS;
  if (believed === 0 || isNear(stamp)) return stand(before, stamp);
  const off = before.clock?.off;
  const goneOn = off ? off.at + (stamp - off.stamp) : Infinity;
  return isNear(goneOn) ? stand(before, goneOn, off) : stand(before, believed, { at: believed, stamp });
}

/** The time where the clock is not believed, and a process counted on by itself. */
export function reckon(time: JournalTime, reckoned: number): JournalTime {
  const off = time.clock?.off;
  const missedMs = reckoned - believedOf(time);
  if (!off || missedMs <= 0 || missedMs > BELIEVED_MS) return time;
  return stand(time, reckoned, { at: off.at + missedMs, stamp: off.stamp });
}

/** The time after an operator said that the clock is right; one that is believed, or behind, moves nothing. */
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
  return {
    at,
    clock: {
      ...(believed < at && { believed }),
      ...(off && { off }),
      ...(skipped !== undefined && { skipped }),
    },
  };
}
