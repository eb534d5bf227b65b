// Store journal
// The journal as its store counts it: the one the store has read, or another that was adopted in its place.
//
//   Owns:          opening it where the store left off; positions as the store counts them.
//   Does not own:  whether a journal is still the same (journals, cursor), who may say that one is adopted (cli).
//
// J2. Positions never go back in a store: the entries of an adopted journal follow those of the one before, and what was
//     ordered by positions stays in order.
// J3. Only a journal that does not fit is adopted, and only when that was asked for.

import { FatalError } from "./errors.ts";
import { freshMeta, type Meta } from "./meta.ts";
import type { Appending, Cursor, Fill, Journal, JournalEntry } from "./ports.ts";

type Opened = Omit<Journal, "open" | "close">;

export class StoreJournal implements Opened {
  readonly #journal: Journal;
  /** Added to the journal's own positions. */
  #base = 0;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /**
   * @param known the store's meta row; undefined for a fresh store.
   * @param adopt true to go on with a journal that is another one, from its beginning.
   * @returns the meta row to go on with: `known` itself where nothing changed.
   * @throws FatalError JOURNAL_REGRESSED; RetryableError as the journal does.
   */
  async open(known: Meta | undefined, adopt: boolean): Promise<Meta> {
    if (!known) {
      const { incarnation, position } = await this.#journal.open(undefined);
      return freshMeta(incarnation, position);
    }
    this.#base = known.base ?? 0;
    try {
      await this.#journal.open(this.#cursorOf(known));
      return known;
    } catch (error) {
      if (!adopt || !(error instanceof FatalError) || error.code !== "JOURNAL_REGRESSED") throw error;
    }
    const { incarnation, position } = await this.#journal.open(undefined);
    this.#base = known.position - position;
    const { hash: _, ...kept } = known;
    return { ...kept, incarnation, base: this.#base };
  }

  fill(): Promise<Fill> {
    return this.#journal.fill();
  }

  async append(bodies: readonly string[], how?: Appending): Promise<readonly number[]> {
    const positions = await this.#journal.append(bodies, how);
    return this.#base === 0 ? positions : positions.map((position) => position + this.#base);
  }

  async read(position: number, limit: number, signal: AbortSignal): Promise<readonly JournalEntry[]> {
    const entries = await this.#journal.read(position - this.#base, limit, signal);
    return this.#base === 0 ? entries : entries.map((entry) => this.#placed(entry));
  }

  async entry(position: number): Promise<JournalEntry | undefined> {
    const entry = await this.#journal.entry(position - this.#base);
    return entry && this.#placed(entry);
  }

  tail(): number {
    return this.#journal.tail() + this.#base;
  }

  async trim(position: number): Promise<void> {
    await this.#journal.trim(position - this.#base);
  }

  #placed(entry: JournalEntry): JournalEntry {
    return { ...entry, position: entry.position + this.#base };
  }

  #cursorOf({ incarnation, position, hash }: Meta): Cursor {
    return { incarnation, position: position - this.#base, ...(hash !== undefined && { hash }) };
  }
}
