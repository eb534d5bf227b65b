// LMDB journal
// The embedded journal, for an engine without NATS: it is in the store's folder, and shares the store's flushes.
//
//   Owns:          positions, stamps, the journal's incarnation, trimming, the newest entries in memory.
//   Does not own:  transactions, the epoch, failure (environment.ts); the entries' content.
//
// LMDB-JOURNAL-1. The journal's head (its incarnation, its last position, its last stamp, up to where it is trimmed) is written
//     together with new entries. When the journal is opened, the head is checked against the entries.
// LMDB-JOURNAL-2. An entry is stamped with the clock's present time, even if somebody has set the clock back, so that a stamp
//     may be earlier than the one before: the engine decides which time counts for the turn (journal time).
// LMDB-JOURNAL-3. The engine can read an entry before the entry is durable. This is safe, because the environment writes in
//     order: what the store commits because of an entry becomes durable only after, or together with, the entry.
// LMDB-JOURNAL-4. The journal's length is limited; the last bytes are reserved for the engine's own messages (journal-room).

import { v7 } from "uuid";
import { Bell } from "../../runtime/bell.ts";
import { checkKept, Gaps, resume } from "../../runtime/journal/cursor.ts";
import { FatalError, journalRegressed } from "../../runtime/errors/errors.ts";
import { JournalRoom } from "../../runtime/journal/journal-room.ts";
import type { Appending, Clock, Cursor, Fill, Journal, JournalEntry } from "../../runtime/ports.ts";
import { checkText } from "../../runtime/writes.ts";
import type { DiskRoom } from "./disk-room.ts";
import type { Environment } from "./environment.ts";
import { decodeEntry, decodeHead, encodeEntry, encodeHead, HEAD, type Head } from "./journal-format.ts";
import type { Put } from "./transaction.ts";

/** How many characters one read returns at most; it always returns at least one entry. */
const READ_CHARACTERS_MAX = 4 << 20;
/** How many entries one transaction trims: an append may have to wait for one such transaction. */
const TRIM_STEP = 1000;
/** How many characters of durable entries stay in memory, so that a reader who keeps up never reads the disk. */
const RECENT_CHARACTERS_MAX = 1 << 20;
/** How many bytes the journal contains at most: the same limit as for a stream on NATS. */
const JOURNAL_BYTES_MAX = 4 * 1024 ** 3;

export interface LmdbJournalOptions {
  readonly max?: number | undefined;
  readonly disk: DiskRoom;
}

export class LmdbJournal implements Journal {
  readonly #environment: Environment;
  readonly #clock: Clock;
  readonly #appended = new Bell();
  readonly #gaps = new Gaps();
  #head: Head | undefined;
  /** The journal's head as it will be once all appended entries are durable. */
  #next = { tail: 0, at: 0, trimmed: 0, bytes: 0 };
  /** The newest entries, without a gap: all appended entries that are not durable yet, and some durable ones before them. */
  #recent: JournalEntry[] = [];
  #recentCharacters = 0;
  readonly #room = new JournalRoom();
  readonly #disk: DiskRoom;
  readonly #max: number;

  constructor(environment: Environment, clock: Clock, { max = JOURNAL_BYTES_MAX, disk }: LmdbJournalOptions) {
    this.#environment = environment;
    this.#clock = clock;
    this.#disk = disk;
    this.#max = max;
  }

  /** Opens the journal. The store must be open before, because opening the store takes the folder over. */
  async open(cursor: Cursor | undefined, past = false): Promise<Cursor> {
    const { meta, entries } = this.#environment.tables;
    const stored = meta.get(HEAD);
    const found =
      stored === undefined ? { incarnation: v7(), tail: 0, at: 0, trimmed: 0, bytes: 0 } : decodeHead(stored);
    const head: Head = { ...found, bytes: found.bytes ?? this.#count() };
    const last = [...entries.getKeys({ reverse: true, limit: 1 })][0] ?? head.trimmed;
    if (last !== head.tail) throw journalRegressed(`its last entry is ${last}, its head says ${head.tail}`);
    const { cursor: from, missing } = resume(cursor, head, past);
    this.#gaps.accept(missing);
    if (stored === undefined) await this.#environment.write([headPut(head)]);
    this.#next = { tail: head.tail, at: head.at, trimmed: head.trimmed, bytes: head.bytes };
    this.#recent = [];
    this.#recentCharacters = 0;
    this.#head = head;
    return from;
  }

  append(bodies: readonly string[], how: Appending = {}): Promise<readonly number[]> {
    const bytes = bodies.reduce((sum, body) => sum + Buffer.byteLength(body), 0);
    return this.#room.take(
      () => this.#fill(),
      bytes,
      how,
      () => this.#add(bodies, bytes, how),
    );
  }

  async #add(bodies: readonly string[], bytes: number, how: Appending): Promise<readonly number[]> {
    const { incarnation } = this.#opened();
    for (const body of bodies) checkText(body, "journal entry");
    if (bodies.length === 0) return [];
    this.#disk.take(bytes, how);
    const next = this.#next;
    next.at = this.#clock.now();
    const added = bodies.map((body) => ({ position: ++next.tail, at: next.at, body }));
    const puts = added.map((entry): Put => ({
      table: "entries",
      key: entry.position,
      text: encodeEntry(entry),
    }));
    for (const { text = "" } of puts) next.bytes += Buffer.byteLength(text);
    const head = { incarnation, ...next };
    const written = this.#environment.write([...puts, headPut(head)]);
    for (const { body } of added) this.#recentCharacters += body.length;
    this.#recent.push(...added);
    this.#appended.ring();
    await written;
    this.#durable(head);
    return added.map(({ position }) => position);
  }

  async read(position: number, limit: number, signal: AbortSignal): Promise<readonly JournalEntry[]> {
    this.#opened();
    while (this.#head && !signal.aborted) {
      const gap = this.#gaps.after(position);
      if (gap) return [gap];
      checkKept(position, this.#next.trimmed);
      const found = this.#after(position, Math.min(limit, this.#next.tail - position));
      if (found.length > 0) return found;
      await this.#appended.wait(signal);
    }
    return [];
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- throws become rejections
  async entry(position: number): Promise<JournalEntry | undefined> {
    const { tail } = this.#opened();
    const text = position > tail ? undefined : this.#environment.tables.entries.get(position);
    return text === undefined ? undefined : decodeEntry(position, text);
  }

  first(): Promise<number> {
    return Promise.resolve(this.#next.trimmed + 1);
  }

  fill(): Promise<Fill> {
    return Promise.resolve(this.#fill());
  }

  #fill(): Fill {
    return { bytes: this.#next.bytes, max: this.#max };
  }

  tail(): number {
    return this.#head?.tail ?? 0;
  }

  async trim(position: number): Promise<void> {
    const { incarnation, tail } = this.#opened();
    const upTo = Math.min(position, tail);
    while (this.#next.trimmed < upTo) {
      const from = this.#next.trimmed + 1;
      const to = Math.min(upTo, this.#next.trimmed + TRIM_STEP);
      const gone: Put[] = [];
      for (let key = from; key <= to; key++) {
        this.#next.bytes -= this.#environment.tables.entries.getBinaryFast(key)?.length ?? 0;
        gone.push({ table: "entries", key });
      }
      this.#next.trimmed = to;
      const head = { incarnation, ...this.#next };
      await this.#environment.write([...gone, headPut(head)]);
      this.#durable(head);
    }
  }

  /** Ends all reads that wait for an entry. Does not close the folder, which the store still uses. */
  close(): Promise<void> {
    this.#head = undefined;
    this.#appended.ring();
    return Promise.resolve();
  }

  /** Counts the bytes of all entries, for a folder of an older version of Signalbox, which did not store the sum. */
  #count(): number {
    const { entries } = this.#environment.tables;
    let bytes = 0;
    for (const key of entries.getKeys()) bytes += entries.getBinaryFast(key)?.length ?? 0;
    return bytes;
  }

  #opened(): Head {
    if (!this.#head) throw new FatalError("JOURNAL_CLOSED", "The journal is not open.", "Open it first.");
    return this.#head;
  }

  #durable(head: Head): void {
    if (!this.#head) return;
    this.#head = head;
    let dropped = 0;
    for (const { position, body } of this.#recent) {
      if (this.#recentCharacters <= RECENT_CHARACTERS_MAX || position > head.tail) break;
      this.#recentCharacters -= body.length;
      dropped += 1;
    }
    if (dropped > 0) this.#recent.splice(0, dropped);
  }

  #after(position: number, limit: number): JournalEntry[] {
    const found: JournalEntry[] = [];
    if (limit <= 0) return found;
    const first = this.#recent[0]?.position ?? Infinity;
    if (position + 1 >= first) return this.#recent.slice(position + 1 - first, position + 1 - first + limit);
    let characters = 0;
    for (const { key, value } of this.#environment.tables.entries.getRange({ start: position + 1, limit })) {
      characters += value.length;
      if (found.length > 0 && characters > READ_CHARACTERS_MAX) break;
      found.push(decodeEntry(key, value));
    }
    return found;
  }
}

const headPut = (head: Head): Put => ({ table: "meta", key: HEAD, text: encodeHead(head) });
