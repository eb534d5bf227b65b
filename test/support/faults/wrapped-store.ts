// Wrapped store
// A store whose commits a test sees, delays or fails, and whose reads it counts.
//
//   Owns:          passing everything else on.
//   Does not own:  storing rows: the store inside does.

import type { Range, Store, Write } from "../../../runtime/ports.ts";

/** Runs instead of a commit: `commit` lets it through. */
export type Around = (writes: readonly Write[], commit: () => Promise<void>) => Promise<void>;

export class WrappedStore implements Store {
  /** Rows read, by key or one by one in a range. */
  reads = 0;
  readonly #store: Store;
  readonly #around: Around;

  constructor(store: Store, around: Around = (_, commit) => commit()) {
    this.#store = store;
    this.#around = around;
  }

  open(): Promise<number> {
    return this.#store.open();
  }

  get(key: string): string | undefined {
    this.reads += 1;
    return this.#store.get(key);
  }

  *range(range: Range): Iterable<readonly [key: string, value: string]> {
    for (const row of this.#store.range(range)) {
      this.reads += 1;
      yield row;
    }
  }

  commit(writes: readonly Write[]): Promise<void> {
    return this.#around(writes, () => this.#store.commit(writes));
  }

  close(): Promise<void> {
    return this.#store.close();
  }
}

export const keyOf = (write: Write): string => ("put" in write ? write.put : write.del);
