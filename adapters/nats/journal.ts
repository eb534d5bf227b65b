// NATS journal
// A JetStream stream as the journal. Others may publish to it, so every message is checked before it counts.
//
//   Owns:          reading without a gap, whatever happens to server and connection; the journal's tail.
//   Does not own:  sending (line.ts), one consumer (reader.ts), the check (stream-extent.ts), parsing a message (wire.ts).
//
// PORTS-1. Acknowledged messages are read again in their order; positions are the stream's own.
// NATS-JOURNAL-1. The stream is checked before and after a consumer is made. A new one replaces a lost one.
// NATS-JOURNAL-2. Positions are consecutive; otherwise the journal has regressed. Messages that were missing at the start and may
//     be missing are read as one entry that says so.
// NATS-JOURNAL-3. The engine's own messages have their own line, so that messages of services never delay them.
// NATS-JOURNAL-4. After a lost connection, nothing counts as read until a new consumer delivers a message or reports that there
//     is none: a server that has just come back may be silent for seconds. Requests wait for this only briefly.
// NATS-JOURNAL-5. If a store begins to read the journal, or if it is not known that the store's entries are sealed with this key,
//     the journal is first searched for other seals. Entries sealed with another key count as missing (strange-seals.ts).
// NATS-JOURNAL-6. The tail is a stored position, not a consumer's number of pending messages: a server reported 76 too many.

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
import { checkExtent, fillOf, firstOf, hashOf, messageAt } from "./stream-extent.ts";
import { Acks } from "./acks.ts";
import { Line } from "./line.ts";
import { asPortError } from "./client-errors.ts";
import type { Pulse } from "./pulse.ts";
import { type Arrived, Reader } from "./reader.ts";
import { strangeSeals } from "./strange-seals.ts";
import { streamEnd } from "./stream-end.ts";
import { STREAMS } from "./streams.ts";
import { headerLength, headersOf, lengthOf } from "./wire-message.ts";
import { entryOf, type WireReading, writeWire } from "./wire.ts";

const AGAIN_MS = 200;

export interface JournalOptions extends WireReading {
  /** Whether the store's entries are known to be sealed with this key; undefined skips the check. */
  readonly isKeyKnown?: boolean | undefined;
  readonly clock: Clock;
  readonly pulse: Pulse;
  /** A manager whose requests time out soon, for a working server's answers. */
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
  /** The last entry that was returned. */
  #cursor: Cursor | undefined;
  #tail = 0;
  #isDown = false;
  /** The connection was lost, and nothing was read since (NATS-JOURNAL-4). */
  #isCutOff = false;
  /** Reads run one after another. */
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

  /** How to search for entries sealed with another key; empty if no search is needed (NATS-JOURNAL-5). */
  #sealedFrom(cursor: Cursor | undefined): Pick<Parameters<typeof checkExtent>[2] & object, "sealed"> {
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
    const wire = { subject, headers: headersOf(() => found.header), payload };
    const hash = hashOf(subject, at, payload);
    const bytes = subject.length + headerLength(wire.headers) + payload.length;
    return entryOf(wire, this.#reading, { position, at, hash, bytes });
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
    try {
      await this.#manager.streams.purge(STREAMS.journal, { seq: upTo + 1 });
    } catch (error) {
      throw asPortError(error);
    }
  }

  /** False after a lost connection, until the journal is read again (NATS-JOURNAL-4). */
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

  /** Makes a reader (NATS-JOURNAL-1). @returns undefined if no reader can be made at the moment. */
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

  /** @throws as `checkExtent` does. Messages that were missing at the start are no error. */
  async #check(cursor: Cursor): Promise<void> {
    const { missing, tail } = await checkExtent(this.#asking, cursor, { behind: this.#gaps.any });
    const unknown = this.#gaps.unknown(missing);
    if (unknown.length > 0) throw journalLacks(unknown);
    this.#tail = Math.max(this.#tail, tail);
  }

  /** The entry for the missing messages right after the last returned entry. */
  #gap(): JournalEntry | undefined {
    const { incarnation, position } = this.#opened();
    const gap = this.#gaps.after(position);
    if (gap) this.#cursor = { incarnation, position: gap.position };
    return gap;
  }

  /** NATS-JOURNAL-2. Skipped messages may still be in the stream (NATS-JOURNAL-5). */
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
    const wire = { subject, headers: headersOf(() => message.headers), payload };
    return entryOf(wire, this.#reading, { position, at, hash, bytes: lengthOf(message) });
  }

  /** After a lost connection, the server may have another stream. */
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
