// Timers
// The clock beside the journal: when a deadline is reached, the engine says so in the journal.
//
//   Owns:          looking at the first rows of the timer index; when to look again; distrust of a clock that jumped.
//   Does not own:  what a deadline means (machines), stale firings (alarms).
//
// G10r. No deadline fires before its time on the journal's clock.
// I-35. When wall and monotonic time part by more than 5 s, deadlines wait 60 s, or for their session's next message.

import type { AlarmRow } from "./alarms.ts";
import { keys } from "./keys.ts";
import { type AddressParts, parseAddress } from "../machines/index.ts";
import type { Clock, Store } from "./ports.ts";

const LOOK_MAX_MS = 60_000;
const AT_ONCE_MAX = 256;
const JUMP_MS = 5_000;
const HOLD_MS = 60_000;

export class Timers {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #fire: (row: AlarmRow, where: AddressParts) => Promise<unknown>;
  /** Fired, and their turns not durable yet. */
  readonly #fired = new Set<string>();
  readonly #awake = new Set<string>();
  #cancel: (() => void) | undefined;
  #lookAt = Infinity;
  #offset: number;
  #heldUntil = -Infinity;

  constructor(store: Store, clock: Clock, fire: (row: AlarmRow, where: AddressParts) => Promise<unknown>) {
    this.#store = store;
    this.#clock = clock;
    this.#fire = fire;
    this.#offset = clock.now() - clock.monotonic();
  }

  /** Looks at the index after a commit, or when a deadline may have come. */
  look(): void {
    const now = this.#clock.now();
    this.#watchClock(now);
    const held = this.#clock.monotonic() < this.#heldUntil;
    let next = Infinity;
    let fired = 0;
    for (const [key, text] of this.#store.range({ gte: keys.timers, lt: keys.timersUntil(now) })) {
      if (this.#fired.has(key)) continue;
      // Timer rows are written by `setAlarm` only.
      const row = JSON.parse(text) as AlarmRow;
      const where = parseAddress(row.address);
      if (held && !this.#awake.has(`${where.workspace}/${where.session}`)) continue;
      this.#fired.add(key);
      const spent = (): boolean => this.#fired.delete(key);
      this.#fire(row, where).then(spent, spent);
      if (++fired >= AT_ONCE_MAX) break;
    }
    if (fired >= AT_ONCE_MAX) next = 0;
    for (const [, text] of this.#store.range({ gte: keys.timersUntil(now), lt: "timer0", limit: 1 })) {
      next = Math.min(next, (JSON.parse(text) as AlarmRow).at - now);
    }
    if (held) next = Math.min(next, this.#heldUntil - this.#clock.monotonic());
    this.#arm(Math.max(0, Math.min(next, LOOK_MAX_MS)));
  }

  /** A session was heard of: its deadlines need not wait for a clock that jumped. */
  wake(session: string): void {
    if (this.#heldUntil > -Infinity) this.#awake.add(session);
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #watchClock(now: number): void {
    const offset = now - this.#clock.monotonic();
    if (Math.abs(offset - this.#offset) <= JUMP_MS) return;
    this.#offset = offset;
    this.#heldUntil = this.#clock.monotonic() + HOLD_MS;
    this.#awake.clear();
  }

  #arm(delayMs: number): void {
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
