// Pressure
// Makes room in a journal that fills up or is full: trims applied entries, even entries that would otherwise be kept longer.
//
//   Owns:          when to measure the journal, asking for room in it, knowing that the journal accepts no entries.
//   Does not own:  which entries are trimmed (trimming), how long entries are kept (maintenance), repeating an append (journals).
//   Decided in:    docs/decisions/0020-a-full-journal.md.
//
// PRESSURE-1. A refused append shows that the journal is full, an accepted append that the journal has room. While the journal is
//     full, the engine asks for room and tries to append a message of its own each second, so that nobody has to restart the
//     engine.

import { FatalError, RetryableError } from "../errors/errors.ts";
import type { Meta } from "../rows/meta.ts";
import type { Clock, Journal, Store } from "../ports.ts";
import { pressed } from "../turn/trimming.ts";
import type { Trouble } from "../errors/trouble.ts";

/** The engine trims the journal once the entries fill this share of the journal's limit. */
const HIGH_WATER = 3 / 4;
const LOW_WATER = 1 / 2;
/** How much the engine applies between two measurements, as a share of the journal's limit. */
const LOOK_SHARE = 1 / 64;
const PROBE_MS = 1_000;

export interface Pressed {
  readonly store: Store;
  readonly journal: Pick<Journal, "fill" | "trim">;
  readonly clock: Clock;
  /** Returns the store's meta row (runtime/rows/meta) as the last commit left it. */
  meta(): Meta;
  /** How far the journal may be trimmed, at most to `position`. */
  trimTo(position: number): number;
  /** Writes an own message that changes nothing. */
  probe(): Promise<unknown>;
  fail(error: unknown): void;
}

export type JournalFull = Trouble & { readonly code: "JOURNAL_FULL" };

export class Pressure {
  readonly #engine: Pressed;
  #trimmed = 0;
  #lookAt = 0;
  #making: Promise<boolean> | undefined;
  #full: JournalFull | undefined;
  #cancel: (() => void) | undefined;
  #stopped = false;

  constructor(engine: Pressed) {
    this.#engine = engine;
  }

  /** Why the journal accepts nothing; undefined while it accepts messages. */
  get full(): JournalFull | undefined {
    return this.#full;
  }

  /** Must be called after each commit: trims the journal if it is above high water (TRIMMING-4). */
  look(): void {
    if (this.#engine.meta().bytes < this.#lookAt || this.#making || this.#stopped) return;
    this.#making = this.#relieve().finally(() => {
      this.#making = undefined;
    });
  }

  /** Trims all applied entries (TRIMMING-6). @returns whether it trimmed any. */
  async makeRoom(): Promise<boolean> {
    while (this.#making) await this.#making;
    this.#making = this.#trim(this.#engine.meta().position - 1).finally(() => {
      this.#making = undefined;
    });
    return this.#making;
  }

  /** Must be called after each append: notes whether the journal was full. */
  appended(error?: unknown): void {
    if (error === undefined) this.#full = undefined;
    if (!(error instanceof RetryableError) || error.code !== "JOURNAL_FULL") return;
    const { next } = error;
    const message = "The journal is full, so the engine cannot accept messages.";
    const since = this.#full?.since ?? this.#engine.clock.now();
    this.#full = { code: "JOURNAL_FULL", message, next, since, isEssential: true };
    this.#probeSoon();
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel?.();
  }

  #probeSoon(): void {
    if (this.#stopped) return;
    this.#cancel ??= this.#engine.clock.after(PROBE_MS, () => {
      this.#cancel = undefined;
      if (this.#full === undefined) return;
      // The test message is appended like any other message, so `appended` notices when the journal has room again.
      this.#engine.probe().catch(() => this.#full !== undefined && this.#probeSoon());
    });
  }

  async #relieve(): Promise<boolean> {
    const { journal, store } = this.#engine;
    const { position, bytes } = this.#engine.meta();
    // While the engine asks the journal how full it is, no later commit starts a second check.
    this.#lookAt = Infinity;
    let step = 0;
    try {
      const { bytes: held, max } = await journal.fill();
      step = max * LOOK_SHARE;
      if (held < max * HIGH_WATER) return false;
      await this.#trim(pressed(store, this.#engine.meta(), max * LOW_WATER));
      if ((await journal.fill()).bytes < max * HIGH_WATER) return true;
      return await this.#trim(Math.max(position, this.#engine.meta().position) - 1);
    } catch (error) {
      if (error instanceof FatalError) this.#engine.fail(error);
      return false;
    } finally {
      this.#lookAt = bytes + step;
    }
  }

  async #trim(wanted: number): Promise<boolean> {
    const upTo = this.#engine.trimTo(wanted);
    if (upTo <= this.#trimmed || this.#stopped) return false;
    await this.#engine.journal.trim(upTo);
    this.#trimmed = upTo;
    return true;
  }
}
