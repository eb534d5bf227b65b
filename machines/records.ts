// Records
// Where a session keeps what must not grow inside its snapshot: small values under string keys.
//
//   Owns:          the interface.
//   Does not own:  durability (runtime/rows/session-records implements the same interface).

/** Keys are relative to one session. Values are plain JSON, never changed after `set`. */
export interface Records {
  get(key: string): unknown;
  set(key: string, value: unknown): void;
  delete(key: string): void;
}
