// Memory journal
// The reference journal: what it does, every journal does.
//
//   Owns:          stamps and positions.
//   Does not own:  the entries (disk.ts), what stands in them.

import { resume, checkKept } from "../../runtime/cursor.ts";
import { FatalError } from "../../runtime/errors.ts";
import type { Clock, Cursor, Journal, JournalEntry } from "../../runtime/ports.ts";
import { checkText } from "../../runtime/writes.ts";
import type { MemoryDisk } from "./disk.ts";

export class MemoryJournal implements Journal {
  readonly #disk: MemoryDisk;
  readonly #clock: Clock;
  #open = false;

  /** @param disk what a restart keeps. @param clock stamps the entries; one that goes back is not followed. */
  constructor(disk: MemoryDisk, clock: Clock) {
    this.#disk = disk;
    this.#clock = clock;
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- throws become rejections
  async open(cursor: Cursor | undefined): Promise<Cursor> {
    const from = resume(cursor, this.#disk);
    this.#open = true;
    return from;
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- throws become rejections
  async append(bodies: readonly string[]): Promise<readonly number[]> {
    this.#opened();
    for (const body of bodies) checkText(body, "journal entry");
    const disk = this.#disk;
    disk.lastAt = Math.max(disk.lastAt, this.#clock.now());
    const first = disk.tail + 1;
    const added = bodies.map((body, index) => ({ position: first + index, at: disk.lastAt, body }));
    disk.entries.push(...added);
    disk.appended.ring();
    return added.map(({ position }) => position);
  }

  async read(position: number, limit: number, signal: AbortSignal): Promise<readonly JournalEntry[]> {
    this.#opened();
    const disk = this.#disk;
    while (this.#open && !signal.aborted) {
      checkKept(position, disk.trimmed);
      const from = position - disk.trimmed;
      const found = disk.entries.slice(from, from + limit);
      if (found.length > 0) return found;
      await disk.appended.wait(signal);
    }
    return [];
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- throws become rejections
  async entry(position: number): Promise<JournalEntry | undefined> {
    this.#opened();
    return this.#disk.entries[position - this.#disk.trimmed - 1];
  }

  tail(): number {
    return this.#disk.tail;
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- throws become rejections
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
