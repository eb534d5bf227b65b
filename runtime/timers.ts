// Timers
// The clock beside the journal: when a deadline is reached, the engine says so in the journal.
//
//   Owns:          looking at the first rows of the timer index; when to look again; distrust of a clock that jumped.
//   Does not own:  what a deadline means (machines), stale and early firings (alarms).
//
// I-34. A deadline is said once: while its firing is under way it is not said again, and one whose turn was turned
//       away by a defect waits for the next start.
// I-35. When wall and monotonic time part by more than 5 s, deadlines wait 60 s, or for their session's next message.
// G9.   A row that cannot be read is told once and passed over.
// I-37. At most 256 firings are under way.

import { type AlarmRow, readAlarm } from "./alarms.ts";
import type { Defects } from "./defects.ts";
import { keys } from "./keys.ts";
import type { AddressParts } from "../machines/index.ts";
import type { Clock, Store } from "./ports.ts";

const LOOK_MAX_MS = 60_000;
const AT_ONCE_MAX = 256;
const RETRY_MS = 1_000;
const JUMP_MS = 5_000;
const HOLD_MS = 60_000;

/** Says that a deadline was reached. @returns the journal's clock once that is durable, ms. */
export type Fire = (row: AlarmRow, where: AddressParts) => Promise<number>;

export class Timers {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #fire: Fire;
  readonly #defects: Defects;
  /** The rows that were said, as they stood then. */
  readonly #fired = new Map<string, string>();
  #underWay = 0;
  readonly #awake = new Set<string>();
  #cancel: (() => void) | undefined;
  #lookAt = Infinity;
  #offset: number;
  #heldUntil = -Infinity;
  #stopped = false;

  constructor(store: Store, clock: Clock, defects: Defects, fire: Fire) {
    this.#store = store;
    this.#clock = clock;
    this.#defects = defects;
    this.#fire = fire;
    this.#offset = clock.now() - clock.monotonic();
  }

  /** Looks at the index after a commit, or when a deadline may have come. */
  look(): void {
    if (this.#stopped) return;
    const now = this.#clock.now();
    const held = this.#isHeld();
    for (const [key, text] of this.#store.range({ gte: keys.timers, lt: keys.timersUntil(now) })) {
      if (this.#underWay >= AT_ONCE_MAX) break;
      if (this.#fired.get(key) === text) continue;
      const row = this.#read(key, text);
      if (!row || (held && !this.#awake.has(`${row.where.workspace}/${row.where.session}`))) continue;
      this.#say(key, text, row, row.where);
    }
    let next = held ? this.#heldUntil - this.#clock.monotonic() : Infinity;
    for (const [key, text] of this.#store.range({ gte: keys.timersUntil(now), lt: "timer0" })) {
      const row = this.#read(key, text);
      if (!row) continue;
      next = Math.min(next, row.at - now);
      break;
    }
    this.#arm(Math.max(0, Math.min(next, LOOK_MAX_MS)));
  }

  /** A session was heard of: its deadlines need not wait for a clock that jumped. */
  wake(session: string): void {
    if (this.#isHeld()) this.#awake.add(session);
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
      (journalNow) => {
        const isEarly = journalNow < row.at;
        this.#landed(isEarly || this.#store.get(key) !== text ? key : undefined);
        if (isEarly) this.#arm(Math.min(row.at - journalNow, LOOK_MAX_MS));
      },
      () => {
        this.#landed(key);
        this.#arm(RETRY_MS);
      },
    );
  }

  /** @param again the row that may be said again. */
  #landed(again: string | undefined): void {
    this.#underWay -= 1;
    if (again !== undefined) this.#fired.delete(again);
  }

  /** True while a jump of the wall clock keeps deadlines back. */
  #isHeld(): boolean {
    const monotonic = this.#clock.monotonic();
    const offset = this.#clock.now() - monotonic;
    if (Math.abs(offset - this.#offset) > JUMP_MS) {
      this.#offset = offset;
      this.#heldUntil = monotonic + HOLD_MS;
      this.#awake.clear();
    }
    const held = monotonic < this.#heldUntil;
    if (!held) this.#awake.clear();
    return held;
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
