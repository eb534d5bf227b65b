// NATS journal
// A JetStream stream as the journal.
//
//   Owns:          nothing yet but its place.
//   Does not own:  the stream's settings (streams.ts).

import type { JetStreamManager, NatsConnection } from "nats";
import { RefusedError } from "../../runtime/errors.ts";
import type { Cursor, Journal, JournalEntry } from "../../runtime/ports.ts";

const closed = (): RefusedError =>
  new RefusedError("JOURNAL_CLOSED", "The journal is not open.", "Open it first.");

export class NatsJournal implements Journal {
  readonly #connection: NatsConnection;

  constructor(connection: NatsConnection, _manager: JetStreamManager, _options: object) {
    this.#connection = connection;
  }

  open(): Promise<Cursor> {
    return Promise.reject(closed());
  }

  append(): Promise<readonly JournalEntry[]> {
    return Promise.reject(closed());
  }

  read(): Promise<readonly JournalEntry[]> {
    return Promise.reject(closed());
  }

  entry(): Promise<JournalEntry | undefined> {
    return Promise.reject(closed());
  }

  tail(): number {
    return 0;
  }

  trim(): Promise<void> {
    return Promise.reject(closed());
  }

  close(): Promise<void> {
    return this.#connection.flush();
  }
}
