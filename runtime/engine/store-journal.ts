// Store journal
// Wraps the journal so that its positions are those of the store. If an operator lets a store continue with another journal
// (adopts it), the positions of that journal follow the positions of the journal before it.
//
//   Owns:          opening the journal where the store left off; the positions as the store counts them.
//   Does not own:  whether a journal is still the same (journals, cursor), who may adopt another journal (cli).
//
// STORE-JOURNAL-1. A store's positions never go back: the entries of an adopted journal get positions after those of the journal
//     before. So everything that is ordered by position stays in order.
// STORE-JOURNAL-2. A journal that does not fit the store, because entries are missing or because it is another journal, is
//     adopted only on an operator's request. Without this request the engine does not open it.
// STORE-JOURNAL-3. If an adopted journal is the same journal and entries are missing, the engine continues to read where it
//     stopped. If it is another journal, the engine reads it from the beginning.
// STORE-JOURNAL-4. A fresh store that begins without some entries gets a new log of changes, because its changes do not have the
//     numbers and versions that they had in the old store. A reader with a place in the old log is told that the log was
//     replaced.

import { defined } from "../../machines/index.ts";
import { JournalRegressed } from "../errors/errors.ts";
import { afresh } from "../journal/journal-time.ts";
import type { Configuration } from "../config.ts";
import { freshMeta, type Meta, underNewLog } from "../rows/meta.ts";
import type { Appending, Cursor, Fill, Journal, JournalEnd, JournalEntry } from "../ports.ts";

type Opened = Omit<Journal, "open" | "close">;

export interface OpenedJournal {
  /** The meta row with which to continue; if nothing changed, the same row as before. */
  readonly meta: Meta;
  /** Present if the journal did not fit the store: the error that `adopt` overrode. */
  readonly lack?: JournalRegressed;
}

export class StoreJournal implements Opened {
  readonly #journal: Journal;
  readonly #defaults: Configuration;
  /** The number that is added to the journal's own positions to get the positions in the store. */
  #base = 0;

  /** @param defaults the settings that a fresh store begins with. */
  constructor(journal: Journal, defaults: Configuration) {
    this.#journal = journal;
    this.#defaults = defaults;
  }

  /**
   * @param known the store's meta row; undefined for a fresh store.
   * @param adopt true to continue although the journal does not fit the store.
   * @param now the clock's time, ms, which becomes part of the name of a change log that is begun anew.
   * @throws JournalRegressed; RetryableError as the journal does.
   */
  async open(known: Meta | undefined, adopt: boolean, now = 0): Promise<OpenedJournal> {
    if (!known) {
      const { cursor, lack } = await this.#openAnew(adopt);
      const { incarnation, position } = cursor;
      const meta = freshMeta(incarnation, position, this.#defaults);
      return lack ? { meta: underNewLog(meta, now), lack } : { meta };
    }
    this.#base = known.base ?? 0;
    const cursor = this.#cursorOf(known);
    try {
      await this.#journal.open(cursor);
      return { meta: known };
    } catch (error) {
      if (!adopt || !(error instanceof JournalRegressed)) throw error;
      return error.isSame ? this.#goOn(known, cursor, error) : this.#beginAnew(known, error);
    }
  }

  async #goOn(known: Meta, cursor: Cursor, lack: JournalRegressed): Promise<OpenedJournal> {
    const { hash } = await this.#journal.open(cursor, true);
    const { hash: _, ...kept } = known;
    return { meta: hash === undefined ? kept : known, lack };
  }

  async #beginAnew(known: Meta, { message, next }: JournalRegressed): Promise<OpenedJournal> {
    const { cursor, lack } = await this.#openAnew(true);
    const { incarnation, position } = cursor;
    this.#base = known.position - position;
    const { hash: _, ...kept } = known;
    const meta = { ...kept, ...afresh(kept), incarnation, base: this.#base };
    return { meta, lack: new JournalRegressed(message, next, false, lack?.missing ?? []) };
  }

  /**
   * Opens the journal from its beginning. @param adopt true to continue although entries are missing at the journal's beginning.
   */
  async #openAnew(adopt: boolean): Promise<{ readonly cursor: Cursor; readonly lack?: JournalRegressed }> {
    try {
      return { cursor: await this.#journal.open(undefined) };
    } catch (error) {
      if (!adopt || !(error instanceof JournalRegressed)) throw error;
      return { cursor: await this.#journal.open(undefined, true), lack: error };
    }
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

  async first(): Promise<number> {
    return (await this.#journal.first()) + this.#base;
  }

  tail(): number {
    return this.#journal.tail() + this.#base;
  }

  async end(): Promise<JournalEnd> {
    const { tail, term } = (await this.#journal.end?.()) ?? { tail: this.#journal.tail(), term: 0 };
    return { tail: tail + this.#base, term: term === 0 ? 0 : term + this.#base };
  }

  async trim(position: number): Promise<void> {
    await this.#journal.trim(position - this.#base);
  }

  #placed(entry: JournalEntry): JournalEntry {
    const { position, at, from, hash, bytes, missingFrom } = entry;
    return {
      position: position + this.#base,
      at,
      get body() {
        return entry.body;
      },
      ...defined({ from, hash, bytes }),
      ...(missingFrom !== undefined && { missingFrom: missingFrom + this.#base }),
    };
  }

  #cursorOf({ incarnation, position, hash }: Meta): Cursor {
    return { incarnation, position: position - this.#base, ...defined({ hash }) };
  }
}
