// Maintenance
// The engine's periodic work beside its loop: sweeping, trimming the journal, storing the floors of the outgoing logs.
//
//   Owns:          when the engine sweeps, trims the journal and stores the floors.
//   Does not own:  what a sweep removes (sweep), what may be trimmed (trimming), publishing (outlet-publisher).
//
// MAINTENANCE-1. The first sweep after a start comes after a minute, unless a sweep ran within the last hour. After that, a sweep
//     comes each hour.
// MAINTENANCE-2. A floor is on disk at most a second after it moved, in the same commit as other rows if there is such a commit.
// MAINTENANCE-3. A sweep is repeated immediately as long as it removes something and more is to be removed. Each sweep is a turn
//     of its own, with other turns in between. Two runs of sweeps never overlap, whoever asked for them.
// MAINTENANCE-4. Only durable rows of the store decide how far the journal is trimmed.
// MAINTENANCE-5. A failed sweep is tried again a minute later. If a sweep failed because the engine was too busy, a trouble is
//     reported only from the second failure on.
// MAINTENANCE-6. After a sweep the engine measures the stored data, and removes past approvals that are too many: always if a
//     person requested the sweep; otherwise once an hour, or sooner if much data came in. Only a sweep that a person requested
//     waits until the measurement is done.
// MAINTENANCE-7. After a jump of the clock no sweep begins until the 60 s of clock-watch are over. If this wait delays the first
//     sweep after a start, that sweep comes a minute after the wait.

import type { SweptCounts, Reply } from "../turn/turn-result.ts";
import type { ClockWatch } from "./clock-watch.ts";
import type { Floors } from "../outbound/outlet-publisher.ts";
import { FatalError, RetryableError } from "../errors/errors.ts";
import { after, keys } from "../rows/keys.ts";
import { measured } from "./measuring.ts";
import type { Measured, Swept } from "../message.ts";
import type { Meta } from "../rows/meta.ts";
import type { Clock, Journal, Store } from "../ports.ts";
import { due, type Due } from "./due.ts";
import { isOverdue, KINDS, NO_ROWS } from "../turn/sweep.ts";
import { type JournalKept, type Mark, trimmable } from "../turn/trimming.ts";
import { codeOf, nextOf, type Trouble } from "../errors/trouble.ts";

const SWEEP_MS = 60 * 60 * 1000;
const SOON_MS = 60 * 1000;
/** A sweep comes early if the journal has grown by this share of the bytes that it keeps, so that it is trimmed in time. */
const SWEEP_SHARE = 1 / 8;
/** The share of a workspace's quota for kept data that may come in between two measurements. */
const MEASURE_SHARE = 1 / 64;
const FLOOR_MS = 1_000;

/** What a run of sweeps removed. */
export interface SweepReport extends SweptCounts {
  readonly journalEntries: number;
  /** True if old data is left that only another run removes. */
  readonly more: boolean;
}

const NOTHING: SweptCounts = { rows: 0, changes: 0, ...NO_ROWS };

export interface MaintenanceHost {
  readonly store: Store;
  readonly journal: Pick<Journal, "trim" | "first">;
  readonly clock: Clock;
  readonly watch: ClockWatch;
  readonly journalKept: JournalKept;
  /** Returns the store's meta row (runtime/rows/meta) as the last commit left it. */
  meta(): Meta;
  /** The last change that the outlet has taken; without an outlet, the last durable change. */
  published(): number;
  /** The floor of each outgoing log: the last number that the outlet has taken. */
  floors(): Floors;
  say(said: Swept | Measured): Promise<Reply>;
  /** Puts floors in the next commit, and makes a commit if none is under way. */
  keepFloors(floors: Floors): void;
  /** Returns the last entry that may be trimmed, at most `position`. */
  trimTo(position: number): number;
  fail(error: unknown): void;
}

export class Maintenance {
  readonly #host: MaintenanceHost;
  #cancelSweep: (() => void) | undefined;
  #cancelFloor: (() => void) | undefined;
  #sweepAt = Infinity;
  #sweeping = false;
  #runs: Promise<unknown> = Promise.resolve();
  #sweptBytes = 0;
  #trimmed = 0;
  #failing: { readonly error: unknown; readonly since: number; readonly times: number } | undefined;
  readonly #kept = new Map<string, number>();
  /** The size of the journal at the last measurement, and when that was. */
  #measured: { readonly bytes: number; readonly at: number } | undefined;
  #stopped = false;

  constructor(host: MaintenanceHost) {
    this.#host = host;
  }

  /** @param floors the floors, as they are on disk. */
  start(floors: Floors): void {
    const { store, clock, watch } = this.#host;
    for (const [key, n] of floors) this.#kept.set(key, n);
    const last = lastMark(store);
    this.#sweptBytes = last?.bytes ?? 0;
    const dueMs = last === undefined ? 0 : last.at + SWEEP_MS - clock.now();
    this.#sweepIn(Math.min(SWEEP_MS, Math.max(SOON_MS + watch.heldMs(), dueMs)));
  }

  /** Must be called after each commit: sweeps if the journal has grown enough. */
  look(): void {
    const grownBytes = this.#host.meta().bytes - this.#sweptBytes;
    if (grownBytes >= this.#host.journalKept.bytes * SWEEP_SHARE) this.#sweepIn(0);
  }

  /** Must be called when the outlet has taken more of a log. */
  floorMoved(): void {
    if (this.#stopped) return;
    this.#cancelFloor ??= this.#host.clock.after(FLOOR_MS, () => {
      this.#cancelFloor = undefined;
      this.keepFloors();
    });
  }

  /** Puts the floors that are not on disk yet into the next commit. */
  keepFloors(): void {
    const moved = new Map([...this.#host.floors()].filter(([key, n]) => this.#kept.get(key) !== n));
    if (moved.size === 0) return;
    for (const [key, n] of moved) this.#kept.set(key, n);
    this.#host.keepFloors(moved);
  }

  stop(): void {
    this.#stopped = true;
    this.#cancelSweep?.();
    this.#cancelFloor?.();
  }

  #sweepIn(delayMs: number): void {
    const { clock } = this.#host;
    const sweepAt = clock.monotonic() + delayMs;
    if (this.#sweeping || this.#stopped || sweepAt >= this.#sweepAt) return;
    this.#cancelSweep?.();
    this.#sweepAt = sweepAt;
    this.#cancelSweep = clock.after(delayMs, () => {
      this.#sweepAt = Infinity;
      const heldMs = this.#host.watch.heldMs();
      if (heldMs > 0) return this.#sweepIn(heldMs);
      this.#sweeping = true;
      this.#inTurn(() => this.#run(Infinity, false))
        .catch((error: unknown) => this.#failed(error))
        .finally(() => {
          this.#sweeping = false;
          this.#sweepIn(this.#failing ? SOON_MS : SWEEP_MS);
        });
    });
  }

  #failed(error: unknown): void {
    if (error instanceof FatalError) this.#host.fail(error);
    const { since = this.#host.clock.now(), times = 0 } = this.#failing ?? {};
    this.#failing = { error, since, times: times + 1 };
  }

  /** Why old data is not being removed (MAINTENANCE-5). */
  get trouble(): Trouble | undefined {
    if (!this.#failing || this.#stopped) return undefined;
    const { error, since, times } = this.#failing;
    if (error instanceof RetryableError && times === 1) return undefined;
    const message = `Old data cannot be removed (${codeOf(error)}); the engine tries again each minute. The store and the journal grow until then.`;
    return { code: "SWEEP_FAILS", message, next: nextOf(error), since, isEssential: false };
  }

  /** Counts what a sweep would remove if it ran now. */
  due(): Promise<Due> {
    const { store, journal, watch, journalKept } = this.#host;
    // `now` is the meta row with the present time, as a sweep that begins now would see it.
    const now = { ...this.#host.meta(), ...watch.time() };
    return due({
      store,
      meta: now,
      published: this.#host.published(),
      trimmable: this.#host.trimTo(trimmable(store, now, journalKept)),
      first: () => journal.first(),
    });
  }

  /**
   * Sweeps at most `turnsMax` times, once the present run of sweeps has ended; trims the journal if no old rows are left.
   * @throws RetryableError CLOCK_JUMPED during the wait after a jump of the clock.
   */
  sweep(turnsMax: number): Promise<SweepReport> {
    return this.#inTurn(() => this.#run(turnsMax, true));
  }

  /**
   * Removes all changes that the outlet has taken, and all applied journal entries, however new they are.
   * @throws RetryableError CLOCK_JUMPED during the wait after a jump of the clock.
   */
  letGo(): Promise<SweepReport> {
    return this.#inTurn(async () => {
      let changes = 0;
      for (let left = true; left && !this.#stopped;) {
        const [published, trimmed] = [this.#host.published(), this.#trimmed];
        const { swept } = await this.#host.say({ type: "swept", published, trimmed, unaged: true });
        left = (swept?.changes ?? 0) > 0;
        changes += swept?.changes ?? 0;
      }
      const report = await this.#run(Infinity, false);
      const journalEntries = await this.#trimTo(this.#host.meta().position - 1);
      return {
        ...report,
        changes: report.changes + changes,
        journalEntries: report.journalEntries + journalEntries,
      };
    });
  }

  #inTurn(step: () => Promise<SweepReport>): Promise<SweepReport> {
    const run = this.#runs.then(step);
    this.#runs = run.catch(() => undefined);
    return run;
  }

  async #run(turnsMax: number, isAsked: boolean): Promise<SweepReport> {
    const { store, watch } = this.#host;
    const heldMs = watch.heldMs();
    if (heldMs > 0) throw clockJumped(heldMs);
    const trimmed = this.#trimmed;
    let total = NOTHING;
    let more = true;
    for (let turns = 0; more && turns < turnsMax && !this.#stopped; turns += 1) {
      const published = this.#host.published();
      const said = { type: "swept", published, trimmed, ...(turns > 0 && { goesOn: true }) } as const;
      const { swept = NOTHING } = await this.#host.say(said);
      total = sum(total, swept);
      more = swept.rows > 0 && isOverdue(store, this.#host.meta(), published);
    }
    const journalEntries = more || this.#stopped ? 0 : await this.#trim();
    this.#failing = undefined;
    if (isAsked && !more) await this.#measure();
    else if (!more && this.#isMeasuringDue()) this.#measureAside();
    return { ...total, journalEntries, more };
  }

  /** True if the kept data must be measured after this sweep (MAINTENANCE-6). */
  #isMeasuringDue(): boolean {
    const { bytes, configuration } = this.#host.meta();
    const { kept } = configuration.quota;
    if (!this.#measured) return true;
    const { bytes: before, at } = this.#measured;
    const isMuch = kept !== "off" && bytes - before >= kept * MEASURE_SHARE;
    return isMuch || this.#host.clock.monotonic() - at >= SWEEP_MS;
  }

  /** Measures how much is kept, while no caller waits for the result. If measuring fails, a later sweep measures again. */
  #measureAside(): void {
    this.#measure().catch((error: unknown) => {
      if (error instanceof FatalError) this.#host.fail(error);
    });
  }

  /** Writes into the journal which past approvals are surplus, and how much is kept of each workspace. */
  async #measure(): Promise<void> {
    const { bytes, configuration } = this.#host.meta();
    this.#measured = { bytes, at: this.#host.clock.monotonic() };
    const words = await measured(this.#host.store, () => this.#stopped, configuration.quota.kept !== "off");
    for (const said of words) await this.#host.say(said);
  }

  /** @returns how many entries were trimmed. */
  #trim(): Promise<number> {
    const { store, journalKept } = this.#host;
    const meta = this.#host.meta();
    this.#sweptBytes = meta.bytes;
    return this.#trimTo(this.#host.trimTo(trimmable(store, meta, journalKept)));
  }

  /** @returns how many entries were trimmed. */
  async #trimTo(upTo: number): Promise<number> {
    const { journal } = this.#host;
    if (upTo <= this.#trimmed) return 0;
    const first = await journal.first();
    await journal.trim(upTo);
    this.#trimmed = upTo;
    return Math.max(0, upTo + 1 - first);
  }
}

const clockJumped = (heldMs: number): RetryableError =>
  new RetryableError(
    "CLOCK_JUMPED",
    "The machine's clock jumped a moment ago, so nothing is removed yet.",
    "Check that the clock is right, and try again in a minute.",
    Math.ceil(heldMs),
  );

function sum(one: SweptCounts, other: SweptCounts): SweptCounts {
  const total = { ...one };
  for (const kind of ["rows", "changes", ...KINDS] as const) total[kind] += other[kind];
  return total;
}

function lastMark(store: Store): Mark | undefined {
  const [row] = store.range({ gte: keys.marks, lt: after(keys.marks), reverse: true, limit: 1 });
  // The cast is safe: only a sweep writes mark rows.
  return row && (JSON.parse(row[1]) as Mark);
}
