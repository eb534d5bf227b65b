// Wrapped journal
// A journal whose appends a test delays or fails.
//
//   Owns:          passing everything else on.
//   Does not own:  storing entries: the journal inside does.

import type { Appending, Cursor, Fill, Journal, JournalEntry } from "../../../runtime/ports.ts";

export class WrappedJournal implements Journal {
  /** Positions that were trimmed, in order. */
  readonly trimmed: number[] = [];
  readonly #journal: Journal;
  readonly #before: () => Promise<void>;

  /** @param before runs before each append; what it throws, the append throws. */
  constructor(journal: Journal, before: () => Promise<void> = () => Promise.resolve()) {
    this.#journal = journal;
    this.#before = before;
  }

  open(cursor: Cursor | undefined, past?: boolean): Promise<Cursor> {
    return this.#journal.open(cursor, past);
  }

  async append(bodies: readonly string[], how?: Appending): Promise<readonly number[]> {
    await this.#before();
    return this.#journal.append(bodies, how);
  }

  fill(): Promise<Fill> {
    return this.#journal.fill();
  }

  read(position: number, limit: number, signal: AbortSignal): Promise<readonly JournalEntry[]> {
    return this.#journal.read(position, limit, signal);
  }

  entry(position: number): Promise<JournalEntry | undefined> {
    return this.#journal.entry(position);
  }

  first(): Promise<number> {
    return this.#journal.first();
  }

  tail(): number {
    return this.#journal.tail();
  }

  async trim(position: number): Promise<void> {
    this.trimmed.push(position);
    await this.#journal.trim(position);
  }

  close(): Promise<void> {
    return this.#journal.close();
  }
}
