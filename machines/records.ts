// Records
// Keeps the values of a session that must not grow its snapshot: small values, each under a book's name and an id.
//
//   Owns:          the interface.
//   Does not own:  durability (runtime/rows/session-records implements the interface).
//
// Book and id are two arguments, because hashing a text made of both would cost more than the look-up itself.

/** A book of one page has the empty id. Values are plain JSON, never changed after `set`. */
export interface Records {
  get(book: string, id: string): unknown;
  set(book: string, id: string, value: unknown): void;
  delete(book: string, id: string): void;
}
