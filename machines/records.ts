// Records
// The store for those values of a session that would make its snapshot too large. Each value is small, and is found by a book's
// name and an id.
//
//   Owns:          the interface through which machines read and write a session's records.
//   Does not own:  making records durable (runtime/rows/session-records implements the interface).
//
// A record is found by two arguments, book and id, and not by one text: hashing a text that joins the two would cost more than
// the look-up itself.

/** If a book has only one record, that record has the empty id. Values are plain JSON, and are never changed after `set`. */
export interface Records {
  get(book: string, id: string): unknown;
  set(book: string, id: string, value: unknown): void;
  delete(book: string, id: string): void;
}
