// Open journal
// Opens the journal that a case tests, in a file, folder or server that keeps the entries when the journal is closed.
//
//   Owns:          opening a journal again; appending and reading texts in the form that the journal under test requires.
//   Does not own:  the requirements of a journal (*.contract.ts).

import assert from "node:assert/strict";
import type { Cursor, Journal, JournalEntry } from "../ports.ts";

/** The file, folder or server that outlives a journal. */
export interface JournalDisk {
  /** The clock that stamps the journal's entries; absent if a test cannot move that clock. */
  readonly clock?: SteppedClock;
  /** Makes the body of an entry from any text; needed for a journal that accepts only messages. */
  readonly body?: (text: string) => string;
  /** Whether the journal reserves room for the engine's own messages. A journal to which others publish cannot reserve room. */
  readonly keepsRoom?: boolean;
  /** Closes the journal, and returns it as after a restart, not yet opened. */
  restart(): Promise<Journal>;
  /** Closes what is open, and removes the disk. */
  dispose?(): Promise<void>;
}

/** A clock that stands still until it is moved. */
export interface SteppedClock {
  advance(ms: number): void;
  /** Sets the wall clock forwards or back, ms. */
  stepWall(ms: number): void;
}

export interface JournalContract {
  /**
   * Makes a new, empty disk; called for each case. @param maxBytes how many bytes the journal may have; undefined for the
   * journal's own default.
   */
  readonly make: (maxBytes?: number) => JournalDisk | Promise<JournalDisk>;
}

export const never: AbortSignal = new AbortController().signal;

/** Makes texts for the bodies of entries: `body 1`, `body 2`, … */
export const names = (count: number, from = 1): readonly string[] =>
  Array.from({ length: count }, (_, n) => `body ${from + n}`);

export class OpenJournal {
  readonly disk: JournalDisk;
  /** Makes another empty disk of the same kind. */
  readonly another: () => Promise<JournalDisk>;
  #journal: Journal | undefined;

  constructor(disk: JournalDisk, another: () => Promise<JournalDisk>) {
    this.disk = disk;
    this.another = another;
  }

  /** The journal that the last restart returned. */
  get now(): Journal {
    if (this.#journal === undefined) throw new Error("The journal was never started.");
    return this.#journal;
  }

  readonly restart = async (cursor?: Cursor): Promise<Cursor> => {
    this.#journal = await this.disk.restart();
    return this.#journal.open(cursor);
  };

  readonly said = (texts: readonly string[]): readonly string[] =>
    texts.map(this.disk.body ?? ((text) => text));

  readonly append = (texts: readonly string[]): Promise<readonly number[]> =>
    this.now.append(this.said(texts));

  /** All entries after a position. Reads to the journal's end, because one read may return only a part. */
  readonly entries = async (position = 0, limit = 100_000): Promise<readonly JournalEntry[]> => {
    const found: JournalEntry[] = [];
    let at = position;
    while (found.length < limit && at < this.now.tail()) {
      const read = await this.now.read(at, limit - found.length, never);
      assert.ok(read.length > 0, `The journal has an entry after position ${at}, but the test read none.`);
      found.push(...read);
      at = read.at(-1)?.position ?? at;
    }
    return found;
  };

  readonly bodies = async (position = 0, limit = 100_000): Promise<readonly string[]> =>
    (await this.entries(position, limit)).map(({ body }) => body);
}
