// Memory journal
// The reference implementation of the journal: every other implementation must behave as this one does.
//
//   Owns:          the stamps and positions of entries.
//   Does not own:  storing the entries (disk.ts), what the entries contain.

/* eslint-disable @typescript-eslint/require-await -- throws become rejections */

import { checkKept, Gaps, resume } from "../../runtime/journal/cursor.ts";
import { FatalError } from "../../runtime/errors/errors.ts";
import { JournalRoom } from "../../runtime/journal/journal-room.ts";
import type { Appending, Clock, Cursor, Fill, Journal, JournalEntry } from "../../runtime/ports.ts";
import { checkText } from "../../runtime/writes.ts";
import type { MemoryDisk } from "./disk.ts";

export class MemoryJournal implements Journal {
  readonly #disk: MemoryDisk;
  readonly #clock: Clock;
  readonly #max: number;
  readonly #room = new JournalRoom();
  readonly #gaps = new Gaps();
  #open = false;

  /**
   * @param disk keeps the entries when the engine restarts.
   * @param clock stamps the entries.
   * @param max how many bytes the journal may contain.
   */
  constructor(disk: MemoryDisk, clock: Clock, max = Infinity) {
    this.#disk = disk;
    this.#clock = clock;
    this.#max = max;
  }

  async open(cursor: Cursor | undefined, past = false): Promise<Cursor> {
    const { cursor: from, missing } = resume(cursor, this.#disk, past);
    this.#gaps.accept(missing);
    this.#open = true;
    return from;
  }

  append(bodies: readonly string[], how: Appending = {}): Promise<readonly number[]> {
    return this.#room.take(
      () => this.#fill(),
      bytesOf(bodies),
      how,
      () => this.#add(bodies),
    );
  }

  async #add(bodies: readonly string[]): Promise<readonly number[]> {
    this.#opened();
    for (const body of bodies) checkText(body, "journal entry");
    const disk = this.#disk;
    const at = this.#clock.now();
    const first = disk.tail + 1;
    const added = bodies.map((body, index) => ({ position: first + index, at, body }));
    disk.entries.push(...added);
    disk.appended.ring();
    return added.map(({ position }) => position);
  }

  async read(position: number, limit: number, signal: AbortSignal): Promise<readonly JournalEntry[]> {
    this.#opened();
    const disk = this.#disk;
    while (this.#open && !signal.aborted) {
      const gap = this.#gaps.after(position);
      if (gap) return [gap];
      checkKept(position, disk.trimmed);
      const from = position - disk.trimmed;
      const found = disk.entries.slice(from, from + limit);
      if (found.length > 0) return found;
      await disk.appended.wait(signal);
    }
    return [];
  }

  async entry(position: number): Promise<JournalEntry | undefined> {
    this.#opened();
    return this.#disk.entries[position - this.#disk.trimmed - 1];
  }

  first(): Promise<number> {
    return Promise.resolve(this.#disk.trimmed + 1);
  }

  fill(): Promise<Fill> {
    return Promise.resolve(this.#fill());
  }

  #fill(): Fill {
    const bytes = this.#max === Infinity ? 0 : bytesOf(this.#disk.entries.map(({ body }) => body));
    return { bytes, max: this.#max };
  }

  tail(): number {
    return this.#disk.tail;
  }

  async trim(position: number): Promise<void> {
    this.#opened();
    const disk = this.#disk;
    const upTo = Math.min(position, disk.tail);
    if (upTo <= disk.trimmed) return;
    disk.entries = disk.entries.slice(upTo - disk.trimmed);
    disk.trimmed = upTo;
  }

  close(): Promise<void> {
    this.#open = false;
    this.#disk.appended.ring();
    return Promise.resolve();
  }

  #opened(): void {
    if (!this.#open) throw new FatalError("JOURNAL_CLOSED", "The journal is not open.", "Open it first.");
  }
}

const bytesOf = (bodies: readonly string[]): number =>
  bodies.reduce((sum, body) => sum + Buffer.byteLength(body), 0);
