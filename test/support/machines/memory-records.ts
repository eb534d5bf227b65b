// Memory records
// The records of a session in memory, for tests and measurements of the machines alone.
//
//   Owns:          keeping them, counting what is asked of them.
//   Does not own:  what they hold (machines/books).

import type { Records } from "../../../machines/index.ts";

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
