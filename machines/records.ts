// Records
// Stores the values of a session that would make its snapshot too large. A book's name and an id find each small value.
//
//   Owns:          the interface.
//   Does not own:  making records durable (runtime/rows/session-records implements the interface).
//
// Book and id are two arguments: hashing a text that joins the two would cost more than the look-up itself.

/** A book with only one record has the empty id. Values are plain JSON, and never changed after `set`. */
export interface Records {
  get(book: string, id: string): unknown;
  set(book: string, id: string, value: unknown): void;
  delete(book: string, id: string): void;
}
