// Timers
// Watches the deadlines, and writes an entry into the journal when a deadline is reached.
//
//   Owns:          reading the timer index; when to read it again; which deadlines wait after a jump of the clock.
//   Does not own:  what a deadline means (machines), stale and early firings (alarms), jumps of the clock (clock-watch).
//
// I-34. A deadline fires once. A deadline does not fire again while the entry that fires it is under way, nor, if a defect
//     stopped the turn of that entry, before the next start.
// I-35. After a jump of the clock removals wait 60 s. Meanwhile a deadline fires only once both the machine's clock and the
//     clock from before the jump, continued by monotonic time, have reached it (clock-watch). G9. An unreadable row of the
//     timer index is reported once and skipped.
// TIMERS-1. Each read of the timer index begins at the first row of the last read, or at an earlier row that was written since.
//     So the reads do not pass over removed rows again and again.
// I-37. At most 32 firings of deadlines are under way at a time, so a caller's message waits behind at most 32 firings.

import { type AlarmRow, readAlarm } from "../rows/alarms.ts";
import type { Defects } from "../errors/defects.ts";
import { type ClockWatch, HELD_LOOK_MS } from "./clock-watch.ts";
import { after, keys } from "../rows/keys.ts";
import type { AddressParts } from "../../machines/index.ts";
import type { Clock, Store } from "../ports.ts";

const LOOK_MAX_MS = 60_000;
const AT_ONCE_MAX = 32;
const RETRY_MS = 1_000;
/** A key after every row of the index. */
const END = after(keys.timers);
/** The name of the timers for removals, which are never urgent. */
const REMOVAL = "removal";

export interface Timed {
  readonly store: Store;
  readonly clock: Clock;
  readonly watch: ClockWatch;
}

/**
 * Fires a deadline. Resolves once the firing is durable, with a time of the journal, ms: deadlines up to this time have come.
 */
export type Fire = (row: AlarmRow, where: AddressParts) => Promise<number>;

export class Timers {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #watch: ClockWatch;
  readonly #fire: Fire;
  readonly #defects: Defects;
  /** The keys of the rows that were fired, with each row's text at that time. */
  readonly #fired = new Map<string, string>();
  #underWay = 0;
  #cancel: (() => void) | undefined;
  #lookAt = Infinity;
  /** The key at which the next read of the index begins, because the index has no row before it (TIMERS-1). */
  #first: string = keys.timers;
  #stopped = false;

  constructor({ store, clock, watch }: Timed, defects: Defects, fire: Fire) {
    this.#store = store;
    this.#clock = clock;
    this.#watch = watch;
    this.#defects = defects;
    this.#fire = fire;
  }

  /**
   * Reads the index after a commit, or when a deadline may have come.
   * @param written the first row of the index that the commit wrote.
   */
  look(written = END): void {
    if (written < this.#first) this.#first = written;
    if (this.#stopped) return;
    this.#watch.look();
    const now = this.#watch.due();
    const heldMs = this.#watch.heldMs();
    let first: string | undefined;
    for (const [key, text] of this.#store.range({ gte: this.#first, lt: keys.timersUntil(now) })) {
      first ??= key;
      if (this.#underWay >= AT_ONCE_MAX) break;
      if (this.#fired.get(key) === text) continue;
      const row = this.#read(key, text);
      if (!row || (heldMs > 0 && this.#isHeld(row))) continue;
      this.#say(key, text, row, row.where);
    }
    let next = heldMs > 0 ? Math.min(heldMs, HELD_LOOK_MS) : Infinity;
    const later = keys.timersUntil(now);
    for (const [key, text] of this.#store.range({
      gte: later < this.#first ? this.#first : later,
      lt: END,
    })) {
      first ??= key;
      const row = this.#read(key, text);
      if (!row) continue;
      next = Math.min(next, row.at - now);
      break;
    }
    this.#first = first ?? END;
    this.#arm(Math.max(0, Math.min(next, LOOK_MAX_MS)));
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #read(key: string, text: string): ReturnType<typeof readAlarm> | undefined {
    try {
      return readAlarm(text);
    } catch (error) {
      this.#defects.ofRow(key, error);
      return undefined;
    }
  }

  #say(key: string, text: string, row: AlarmRow, where: AddressParts): void {
    this.#fired.set(key, text);
    this.#underWay += 1;
    this.#fire(row, where).then(
      (due) => {
        const isEarly = due < row.at;
        this.#landed(isEarly || this.#store.get(key) !== text ? key : undefined);
        if (isEarly) this.#arm(Math.min(row.at - due, LOOK_MAX_MS));
      },
      () => {
        this.#landed(key);
        this.#arm(RETRY_MS);
      },
    );
  }

  /**
   * Notes that a firing is no longer under way.
   * @param again the key of its row, if the row may be fired again: the firing came too early or failed, or the row has
   * changed since.
   */
  #landed(again: string | undefined): void {
    this.#underWay -= 1;
    if (again !== undefined) this.#fired.delete(again);
  }

  #isHeld({ timer }: AlarmRow): boolean {
    return timer === REMOVAL || this.#watch.holdsAll;
  }

  #arm(delayMs: number): void {
    if (this.#stopped) return;
    const lookAt = this.#clock.monotonic() + delayMs;
    if (this.#cancel && lookAt >= this.#lookAt) return;
    this.#cancel?.();
    this.#lookAt = lookAt;
    this.#cancel = this.#clock.after(delayMs, () => {
      this.#cancel = undefined;
      this.#lookAt = Infinity;
      this.look();
    });
  }
}
