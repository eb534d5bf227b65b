// Records
// Where a session keeps what must not grow inside its snapshot: small values under string keys.
//
//   Owns:          the interface, and an implementation in memory for tests.
//   Does not own:  durability (runtime/rows/session-records implements the same interface).

/** Keys are relative to one session. Values are plain JSON, never changed after `set`. */
export interface Records {
  get(key: string): unknown;
  set(key: string, value: unknown): void;
  delete(key: string): void;
}

/** Records in a map, counting what is asked of them. */
export class MemoryRecords implements Records {
  readonly rows = new Map<string, unknown>();
  operations = 0;

  get(key: string): unknown {
    this.operations += 1;
    return this.rows.get(key);
  }

  set(key: string, value: unknown): void {
    this.operations += 1;
    this.rows.set(key, value);
  }

  delete(key: string): void {
    this.operations += 1;
    this.rows.delete(key);
  }
}
