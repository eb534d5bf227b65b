// Records
// Where a session keeps what must not grow inside its snapshot: small values, each under the name of its book and an id.
//
//   Owns:          the interface.
//   Does not own:  durability (runtime/rows/session-records implements the same interface).
//
// Book and id come apart: a text made of both for each look would be hashed each time, which cost more than the look.

/** A book of one page has the empty id. Values are plain JSON, never changed after `set`. */
export interface Records {
  get(book: string, id: string): unknown;
  set(book: string, id: string, value: unknown): void;
  delete(book: string, id: string): void;
}
