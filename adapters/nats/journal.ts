// NATS journal
// A JetStream stream as the journal. Others may publish to the stream, so every message is checked before it counts.
//
//   Owns:          reading without a gap, whatever happens to server and connection; the tail (the journal's last position).
//   Does not own:  sending (line.ts), one consumer (reader.ts), the check (stream-extent.ts), parsing a message (wire.ts).
//
// PORTS-1. Every message that the stream has acknowledged can be read, under the position that the stream gave it, in the order
//     of these positions.
// NATS-JOURNAL-1. The stream is checked before and after a consumer is made. A lost consumer is replaced by a new one.
// NATS-JOURNAL-2. Positions are consecutive: if a message is missing or comes again, reading fails with an error. Only messages
//     that were already missing when the journal was opened may be missing: the reader gets one entry in place of them all.
// NATS-JOURNAL-3. The engine's own messages have a `Line` (line.ts) of their own: messages of services never delay them.
// NATS-JOURNAL-4. After a lost connection, the journal does not count as read to its end until a new consumer delivers a
//     message or reports that there is none: a server that has just come back may be silent for seconds.
// NATS-JOURNAL-5. The journal is searched for seals of other keys when a store begins to read it, or if the store does not know
//     which key it had. Entries sealed with another key count as missing (strange-seals.ts).
// NATS-JOURNAL-6. The tail is the highest position that the server has named for a message. It is not computed from a
//     consumer's number of pending messages, because a server has reported 76 too many.

import { Events, type JetStreamManager, type NatsConnection } from "nats";
import { Bell } from "../../runtime/bell.ts";
import { Gaps } from "../../runtime/journal/cursor.ts";
import { FatalError, journalLacks, journalRegressed, RetryableError } from "../../runtime/errors/errors.ts";
import type {
  Appending,
  Clock,
  Cursor,
  Fill,
  Journal,
  JournalEnd,
  JournalEntry,
} from "../../runtime/ports.ts";
import type { Trouble } from "../../runtime/errors/trouble.ts";
import { anyNews, waitFor } from "../../runtime/wait-for.ts";
import { checkText } from "../../runtime/writes.ts";
import { checkExtent, fillOf, firstOf, hashOf, type MayLack, messageAt } from "./stream-extent.ts";
import { Acks } from "./acks.ts";
import { headBytes, storedHeadBytes } from "./headers.ts";
import { Line } from "./line.ts";
import { asPortError, orPortError } from "./client-errors.ts";
import type { Pulse } from "./pulse.ts";
import { type Arrived, Reader } from "./reader.ts";
import { strangeSeals } from "./strange-seals.ts";
import { streamEnd } from "./stream-end.ts";
import { STREAMS } from "./streams.ts";
import { entryOf, type WireReading, writeWire } from "./wire.ts";

const AGAIN_MS = 200;

export interface JournalOptions extends WireReading {
  /** Whether the store's entries are known to be sealed with this key, as in `NatsOptions`. */
  readonly isKeyKnown?: boolean | undefined;
  readonly clock: Clock;
  readonly pulse: Pulse;
  /** A JetStream manager whose requests have a short time limit. */
  readonly asking: JetStreamManager;
}

export class NatsJournal implements Journal {
  readonly #connection: NatsConnection;
  readonly #manager: JetStreamManager;
  readonly #asking: JetStreamManager;
  readonly #reading: WireReading;
  readonly #isKeyKnown: boolean | undefined;
  readonly #clock: Clock;
  readonly #pulse: Pulse;
  readonly #line: Line;
  readonly #ownLine: Line;
  readonly #moved = new Bell();
  readonly #gaps = new Gaps();
  #reader: Reader | undefined;
  /** The position of the last entry that was returned. */
  #cursor: Cursor | undefined;
  #tail = 0;
  #isDown = false;
  /** True if the connection was lost, and nothing was read since (NATS-JOURNAL-4). */
  #isCutOff = false;
  /** A promise that settles when the last read has ended: the next read waits for it, so that reads run one after another. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(
    connection: NatsConnection,
    manager: JetStreamManager,
    { sealKey, clients, isKeyKnown, clock, pulse, asking }: JournalOptions,
  ) {
    this.#connection = connection;
    this.#manager = manager;
    this.#asking = asking;
    this.#reading = { sealKey, clients };
    this.#isKeyKnown = isKeyKnown;
    this.#clock = clock;
    this.#pulse = pulse;
    const isLongSilent = (): boolean => pulse.isLongSilent;
    const acks = new Acks(connection, clock);
    this.#line = new Line(acks, clock, { isOrdered: true, isLongSilent });
    this.#ownLine = new Line(acks, clock, { isOrdered: false, isLongSilent });
    pulse.onTail = (tail) => this.#reader?.expect((this.#tail = Math.max(this.#tail, tail)));
    void this.#follow();
  }

  async open(cursor: Cursor | undefined, past = false): Promise<Cursor> {
    const may = { behind: past, atCursor: past, ...this.#sealedFrom(cursor) };
    const checked = await checkExtent(this.#manager, cursor, may);
    this.#gaps.accept(checked.missing);
    this.#tail = checked.tail;
    for (const line of this.#lines()) line.resume();
    return (this.#cursor = checked.cursor);
  }

  /** NATS-JOURNAL-5. @returns the search for messages with another key's seal, if the stream is to be searched for them. */
  #sealedFrom(cursor: Cursor | undefined): Pick<MayLack, "sealed"> {
    const isAsked = this.#isKeyKnown === false || (this.#isKeyKnown === true && !cursor);
    if (!isAsked) return {};
    const stream = { connection: this.#connection, manager: this.#manager, clock: this.#clock };
    return { sealed: (after, upTo) => strangeSeals(stream, this.#reading.sealKey, { after, upTo }) };
  }

  async append(
    bodies: readonly string[],
    { own = false, makeRoom }: Appending = {},
  ): Promise<readonly number[]> {
    this.#opened();
    for (const body of bodies) checkText(body, "journal entry");
    const wires = bodies.map((body) => writeWire(body, this.#reading.sealKey));
    const line = own ? this.#ownLine : this.#line;
    const positions = await Promise.all(wires.map((wire) => line.send(wire, makeRoom)));
    this.#tail = Math.max(this.#tail, ...positions);
    return positions;
  }

  read(position: number, limit: number, signal: AbortSignal): Promise<readonly JournalEntry[]> {
    if (!this.#cursor) return Promise.reject(closed());
    const read = this.#turn.then(() => this.#read(position, limit, signal));
    this.#turn = read.catch(() => undefined);
    return read;
  }

  async entry(position: number): Promise<JournalEntry | undefined> {
    this.#opened();
    this.#pulse.check();
    const found = position < 1 ? undefined : await messageAt(this.#manager, position);
    if (!found) return undefined;
    const { subject, data: payload } = found;
    const at = found.time.getTime();
    const hash = hashOf(subject, at, payload);
    const message = { subject, head: storedHeadBytes(found), payload };
    return entryOf(message, this.#reading, { position, at, hash });
  }

  readonly first = (): Promise<number> => firstOf(this.#manager);
  readonly fill = (): Promise<Fill> => fillOf(this.#manager);

  tail(): number {
    return this.#tail;
  }

  async end(): Promise<JournalEnd> {
    this.#pulse.check();
    return streamEnd(this.#asking);
  }

  async trim(position: number): Promise<void> {
    this.#opened();
    const upTo = Math.min(position, this.#tail);
    if (upTo < 1) return;
    await orPortError(this.#manager.streams.purge(STREAMS.journal, { seq: upTo + 1 }));
  }

  /** NATS-JOURNAL-4. False from the loss of the connection until a reader has heard from the server again. */
  get isRead(): boolean {
    if (this.#isCutOff && this.#reader?.hasHeard === true) this.#isCutOff = false;
    return !this.#isCutOff;
  }

  troubles(): readonly Trouble[] {
    return this.#pulse.troubles();
  }

  close(): Promise<void> {
    this.#cursor = undefined;
    this.#pulse.stop();
    this.#reader?.lose("the journal was closed");
    for (const line of this.#lines()) line.close(closed());
    this.#moved.ring();
    return Promise.resolve();
  }

  async #read(position: number, limit: number, signal: AbortSignal): Promise<readonly JournalEntry[]> {
    if (this.#cursor && position !== this.#cursor.position) {
      this.#reader?.lose("it is read from elsewhere");
      this.#cursor = { incarnation: this.#cursor.incarnation, position };
    }
    while (this.#cursor && !signal.aborted) {
      const gap = this.#gap();
      if (gap) return [gap];
      const reader = await this.#checkedReader(this.#cursor, signal);
      const taken = reader?.take(limit) ?? [];
      const entries = taken.flatMap((arrived) => this.#entries(arrived));
      if (entries.length > 0) return entries;
      if (taken.length === 0 && reader && reader.lost === undefined) await this.#moved.wait(signal);
    }
    return [];
  }

  /** @returns a reader of the checked stream (NATS-JOURNAL-1); undefined if no reader can be made at the moment. */
  async #checkedReader(cursor: Cursor, signal: AbortSignal): Promise<Reader | undefined> {
    if (this.#reader && this.#reader.lost === undefined) return this.#reader;
    if (this.#isDown) {
      await this.#moved.wait(signal);
      return undefined;
    }
    try {
      await this.#check(cursor);
      const moved = (): void => this.#moved.ring();
      const reader = await Reader.open(this.#connection, this.#asking, this.#clock, cursor.position, moved);
      this.#reader = reader;
      await this.#check(cursor);
      return reader;
    } catch (error) {
      this.#reader?.lose("the stream could not be checked");
      if (this.#cursor && this.#connection.isClosed()) throw disconnected();
      if (!(asPortError(error) instanceof RetryableError)) throw asPortError(error);
      await waitFor(this.#moved.rings, anyNews, { clock: this.#clock, ms: AGAIN_MS }, signal);
      return undefined;
    }
  }

  /** Checks the stream. Messages that were missing already at the start are no error. @throws as `checkExtent` does. */
  async #check(cursor: Cursor): Promise<void> {
    const { missing, tail } = await checkExtent(this.#asking, cursor, { behind: this.#gaps.any });
    const unknown = this.#gaps.unknown(missing);
    if (unknown.length > 0) throw journalLacks(unknown);
    this.#tail = Math.max(this.#tail, tail);
  }

  /** The entry that stands for missing messages, if messages right after the last returned entry are missing. */
  #gap(): JournalEntry | undefined {
    const { incarnation, position } = this.#opened();
    const gap = this.#gaps.after(position);
    if (gap) this.#cursor = { incarnation, position: gap.position };
    return gap;
  }

  /**
   * The entries for a message that arrived (NATS-JOURNAL-2). A message that counts as missing is skipped, even if the stream has
   * it: it was sealed with another key (NATS-JOURNAL-5).
   */
  #entries(arrived: Arrived): readonly JournalEntry[] {
    const gap = this.#gap();
    const isPassed = arrived.position <= this.#opened().position && this.#gaps.covers(arrived.position);
    return [...(gap ? [gap] : []), ...(isPassed ? [] : [this.#entry(arrived)])];
  }

  #entry({ position, at, message }: Arrived): JournalEntry {
    const { incarnation, position: last } = this.#opened();
    if (position > last + 1) throw journalLacks([{ first: last + 1, last: position - 1 }]);
    if (position !== last + 1)
      throw journalRegressed(`the message after ${last} has the position ${position}`);
    const { subject, data: payload } = message;
    const hash = hashOf(subject, at, payload);
    this.#cursor = { incarnation, position, hash };
    this.#tail = Math.max(this.#tail, position);
    const found = { subject, head: headBytes(message), payload };
    return entryOf(found, this.#reading, { position, at, hash });
  }

  /** Follows the connection. Once it was lost, the reader is given up, because the server may have another stream afterwards. */
  async #follow(): Promise<void> {
    for await (const { type } of this.#connection.status()) {
      if (type === Events.Disconnect) {
        this.#isDown = true;
        this.#isCutOff = true;
        this.#pulse.hold();
        for (const line of this.#lines()) line.hold();
        this.#reader?.lose("the connection was lost");
      }
      if (type === Events.Reconnect) {
        this.#isDown = false;
        this.#pulse.resume();
        for (const line of this.#lines()) line.resume();
        this.#moved.ring();
      }
    }
  }

  #lines(): readonly Line[] {
    return [this.#line, this.#ownLine];
  }

  #opened(): Cursor {
    if (!this.#cursor) throw closed();
    return this.#cursor;
  }
}

const disconnected = (): FatalError =>
  new FatalError("NATS_CLOSED", "The connection to NATS was closed.", "Start the engine again.");

const closed = (): FatalError =>
  new FatalError("JOURNAL_CLOSED", "The journal is not open.", "Open it first.");
