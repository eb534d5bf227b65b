// Clock watch
// Watches the machine's clock between two entries, and decides whether the engine believes the clock, and whether removals wait
// so that a person can check the clock.
//
//   Owns:          noticing jumps; how long removals wait after a jump, and by which clock deadlines then count; the
//                  troubles CLOCK_AHEAD and CLOCK_BEHIND.
//   Does not own:  whether an entry's stamp is believed (journal-time), the work that waits after a jump (timers, maintenance,
//                  blob-sweep).
//
// I-35. If wall clock and monotonic clock drift apart by more than 5 s, removals wait 60 s, so that an operator can correct the
//     clock first. During these 60 s deadlines count by the slower of two clocks: the machine's clock after the jump, and the
//     clock from before the jump, continued by monotonic time. So no approval ends early, unless the clock stays wrong for a
//     minute. If the clock is more than a day from the last entry's time when the engine starts, removals and deadlines both
//     wait these 60 s.
// CLOCK-WATCH-1. The engine does not believe a clock that is more than 35 days from the last entry's time (journal-time). When
//     it stops believing the clock, or believes it again, it immediately writes one entry about this into the journal, if
//     possible before the next message. The engine's time then continues from the time of this entry.

import { believedOf, BELIEVED_MS, dueOf, follow, type JournalTime } from "../journal/journal-time.ts";
import type { Tallied } from "../message.ts";
import type { Meta } from "../rows/meta.ts";
import type { Clock } from "../ports.ts";
import type { Trouble } from "../errors/trouble.ts";

const JUMP_MS = 5_000;
const HOLD_MS = 60_000;
/** After a jump of the clock, the engine reads the clock at least this often, ms, because it may jump again. */
export const HELD_LOOK_MS = 5_000;
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** The time of the last entry may be this far ahead of the clock before the engine reports a trouble. */
const BEHIND_MS = HOUR_MS;

export interface Watched {
  readonly clock: Clock;
  /** Returns the store's meta row (runtime/rows/meta) as the last commit left it. */
  readonly meta: () => Meta;
  /** Writes a message of the engine into the journal. */
  readonly say: (said: Tallied) => Promise<unknown>;
  /** Called with the trouble when the clock is not believed, once per jump. */
  readonly onClock?: ((trouble: Trouble) => void) | undefined;
}

export class ClockWatch {
  readonly #with: Watched;
  #offset: number;
  /** The offset between wall clock and monotonic clock before the jump. Without a jump, the present offset. */
  #settled: number;
  #heldUntil = -Infinity;
  #holdsAll = false;
  #told: number | undefined;
  #warned: number | undefined;
  /**
   * The last believed time, or the time at the first look if none was believed; and when that time was read, by the monotonic
   * clock.
   */
  #sure: { readonly time: number; readonly monotonic: number } | undefined;
  /** The last entry that this process saw, and when it saw the entry, by the monotonic clock. */
  #last = { position: -1, since: 0 };
  #troubled: { readonly code: string; readonly since: number } | undefined;

  constructor(watched: Watched) {
    this.#with = watched;
    this.#offset = this.#settled = watched.clock.now() - watched.clock.monotonic();
  }

  /** Must be called at the engine's start, with the time of the last entry before it. */
  start({ at }: JournalTime): void {
    if (at > 0 && Math.abs(this.#with.clock.now() - at) > DAY_MS) this.#hold(true);
  }

  /** Reads the clock; writes a message into the journal when the clock is no longer believed, or is believed again. */
  look(): void {
    this.heldMs();
    const { clock, meta, say } = this.#with;
    const known = meta();
    const now = this.#now(known);
    const monotonic = clock.monotonic();
    const isDoubted = offOf(now) !== undefined;
    // `#sure` is the last time that the engine believed; while it doubts its clock, it counts on from this time by the
    // monotonic clock. If it doubts its clock from its start on, it counts on from the journal's believed time.
    if (!isDoubted || !this.#sure) this.#sure = { time: believedOf(now), monotonic };
    if (isDoubted && this.#warned !== this.#offset) this.#warn();
    if (offOf(now) === offOf(known) || this.#told === this.#offset) return;
    const told = (this.#told = this.#offset);
    const sure = isDoubted ? this.#sure : undefined;
    const reckoned = sure && Math.round(sure.time + monotonic - sure.monotonic);
    say({ type: "tallied", ...(reckoned !== undefined && { reckoned }) }).catch(() => {
      // If the engine is too busy or is stopping, it does not write the time now; the next check tries again.
      if (this.#told === told) this.#told = undefined;
    });
  }

  /** How much longer removals wait after a jump of the clock, ms; 0 if nothing waits. */
  heldMs(): number {
    const { clock } = this.#with;
    const monotonic = clock.monotonic();
    const offset = clock.now() - monotonic;
    if (Math.abs(offset - this.#offset) > JUMP_MS) {
      this.#offset = offset;
      this.#hold(false);
    } else if (monotonic >= this.#heldUntil) this.#settled = this.#offset;
    return Math.max(0, this.#heldUntil - monotonic);
  }

  /**
   * True while not only removals but also deadlines wait after a jump, because this process did not see the clock before the
   * jump.
   */
  get holdsAll(): boolean {
    return this.#holdsAll && this.heldMs() > 0;
  }

  /** The journal time that an entry would get if it were appended now. */
  time(): JournalTime {
    return this.#timeBy(this.#with.clock.now());
  }

  /**
   * The time from which a new duration counts. After a jump it is the later one of the old and the new clock's time, so that no
   * duration ends too early.
   */
  latest(): number {
    const { clock } = this.#with;
    const now = clock.now();
    return this.heldMs() === 0 ? now : Math.max(now, clock.monotonic() + this.#settled);
  }

  #timeBy(stamp: number): JournalTime {
    const { clock, meta } = this.#with;
    const known = meta();
    const now = follow(known, stamp);
    const monotonic = clock.monotonic();
    if (this.#last.position !== known.position) this.#last = { position: known.position, since: monotonic };
    if (offOf(now) === undefined || offOf(now) === offOf(known)) return now;
    // The engine does not believe this stamp, and so computes the time: the time of the last entry, plus the monotonic time
    // since then. It uses no earlier time of this machine's clock, because the journal's clock may differ from it.
    const goneOn = believedOf(known) + Math.round(monotonic - this.#last.since);
    return follow(known, Math.min(goneOn, known.at + BELIEVED_MS));
  }

  /** The present time for deadlines (I-35): a deadline at or before it has come. */
  due(): number {
    const due = dueOf(this.time());
    if (this.heldMs() === 0) return due;
    return Math.min(due, dueOf(this.#timeBy(this.#with.clock.monotonic() + this.#settled)));
  }

  troubles(): readonly Trouble[] {
    const { clock, meta } = this.#with;
    const known = meta();
    const now = clock.now();
    const found =
      known.at === 0 ? undefined : (troubleOf(this.#now(known), now) ?? troubleOf(known, stampOf(known)));
    if (found?.code !== this.#troubled?.code) this.#troubled = found && { code: found.code, since: now };
    return found ? [{ ...found, since: this.#troubled?.since ?? now, isEssential: false }] : [];
  }

  #warn(): void {
    const [trouble] = this.troubles();
    if (!trouble) return;
    this.#warned = this.#offset;
    this.#with.onClock?.(trouble);
  }

  #hold(all: boolean): void {
    const monotonic = this.#with.clock.monotonic();
    this.#holdsAll = all || (this.#holdsAll && monotonic < this.#heldUntil);
    this.#heldUntil = monotonic + HOLD_MS;
  }

  /** The journal time that an entry would get now by the machine's clock alone; `#timeBy` also counts by monotonic time. */
  #now(known: JournalTime): JournalTime {
    return follow(known, this.#with.clock.now());
  }
}

const offOf = ({ clock }: JournalTime): number | undefined => clock?.off?.stamp;

/** What the clock said at the last entry. */
const stampOf = (time: JournalTime): number => offOf(time) ?? believedOf(time);

function troubleOf(time: JournalTime, now: number): Pick<Trouble, "code" | "message" | "next"> | undefined {
  const { at, clock } = time;
  if (clock?.off) {
    const isAhead = clock.off.stamp > clock.off.at;
    return {
      code: isAhead ? "CLOCK_AHEAD" : "CLOCK_BEHIND",
      message: `The clock says ${shown(now)}, more than 35 days ${isAhead ? "after" : "before"} the last entry. The engine does not believe the clock, and goes on from ${shown(at)}.`,
      next: isAhead
        ? "Correct the clock. If the clock is right, stop the engine and start it with `signalbox up --accept-clock`."
        : "Correct the clock. If the clock is right, do nothing: the engine works, and only shows times that are ahead of the clock.",
    };
  }
  if (at - believedOf(time) <= BEHIND_MS) return undefined;
  return {
    code: "CLOCK_BEHIND",
    message: `The clock says ${shown(now)}, before the last entry at ${shown(at)}. Until the clock has caught up, the engine's time stands still, and new deadlines come late.`,
    next: `Correct the clock. If the clock is right, wait until it reaches ${shown(at)}: the engine loses nothing meanwhile.`,
  };
}

const shown = (ms: number): string => new Date(ms).toISOString().slice(0, 16).replace("T", " ");
