// Memory records
// The records of a session in memory, for tests and measurements of the machines alone.
//
//   Owns:          keeping them, counting what is asked of them.
//   Does not own:  what they hold (machines/books).

import type { Records } from "../../../machines/index.ts";

export class MemoryRecords implements Records {
  readonly books = new Map<string, Map<string, unknown>>();
  operations = 0;

  get(book: string, id: string): unknown {
    this.operations += 1;
    return this.books.get(book)?.get(id);
  }

  set(book: string, id: string, value: unknown): void {
    this.operations += 1;
    const known = this.books.get(book);
    if (known) known.set(id, value);
    else this.books.set(book, new Map([[id, value]]));
  }

  delete(book: string, id: string): void {
    this.operations += 1;
    this.books.get(book)?.delete(id);
  }

  /** Each record that there is, as book and id, and its value. */
  *all(): Generator<readonly [book: string, id: string, value: unknown]> {
    for (const [book, pages] of this.books) for (const [id, value] of pages) yield [book, id, value];
  }
}
