// Pressure
// A journal that fills up, and one that is full: what has been applied goes, whatever else would keep it.
//
//   Owns:          when to look, asking for room, knowing that the journal takes nothing.
//   Does not own:  which entries may go (trimming), keeping them for their time (maintenance), sending again (journals).
//   Decided in:    docs/decisions/0020-a-full-journal.md.
//
// PRESSURE-1. Whether the journal is full is learnt from what it refuses, and unlearnt from what it takes: while it is
//     full, the engine asks for room and tries a word of its own each second. Nobody has to start it again.

import { FatalError, RetryableError } from "../errors.ts";
import type { Meta } from "../rows/meta.ts";
import type { Clock, Journal, Store } from "../ports.ts";
import { pressed } from "../turn/trimming.ts";
import type { Trouble } from "../trouble.ts";

/** Of what the journal may hold. */
const HIGH_WATER = 3 / 4;
const LOW_WATER = 1 / 2;
/** Applied since the last look, before the next. */
const LOOK_SHARE = 1 / 64;
const PROBE_MS = 1_000;

/** What it needs of its engine. */
export interface Pressed {
  readonly store: Store;
  readonly journal: Pick<Journal, "fill" | "trim">;
  readonly clock: Clock;
  /** The durable meta row. */
  meta(): Meta;
  /** Says a word of the engine's own that changes nothing. */
  probe(): Promise<unknown>;
  fail(error: unknown): void;
}

/** A journal that takes nothing. */
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

  /** Why the journal takes nothing; undefined while it does. */
  get full(): JournalFull | undefined {
    return this.#full;
  }

  /** Looks after a commit whether the journal is above high water (TRIMMING-4). */
  look(): void {
    if (this.#engine.meta().bytes < this.#lookAt || this.#making || this.#stopped) return;
    this.#making = this.#relieve().finally(() => {
      this.#making = undefined;
    });
  }

  /** Lets go of all that is applied (TRIMMING-6). @returns whether anything went. */
  async makeRoom(): Promise<boolean> {
    while (this.#making) await this.#making;
    this.#making = this.#trim(this.#engine.meta().position - 1).finally(() => {
      this.#making = undefined;
    });
    return this.#making;
  }

  /** Tells what became of an append. */
  appended(error?: unknown): void {
    if (error === undefined) this.#full = undefined;
    if (!(error instanceof RetryableError) || error.code !== "JOURNAL_FULL") return;
    const { next } = error;
    const message = "The journal is full, so messages cannot be taken in.";
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
      // What becomes of it is told by `appended`, as of every append.
      this.#engine.probe().catch(() => this.#full !== undefined && this.#probeSoon());
    });
  }

  async #relieve(): Promise<boolean> {
    const { journal, store } = this.#engine;
    const { position, bytes } = this.#engine.meta();
    // Until the journal has answered nobody asks again for every commit.
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

  async #trim(upTo: number): Promise<boolean> {
    if (upTo <= this.#trimmed || this.#stopped) return false;
    await this.#engine.journal.trim(upTo);
    this.#trimmed = upTo;
    return true;
  }
}
