// Open store
// Opens the store that a case tests, in a file, folder or server that keeps the rows when the store is closed.
//
//   Owns:          opening a store; reading rows and keys.
//   Does not own:  the requirements of a store (*.contract.ts).

import type { Range, Store, Write } from "../ports.ts";

/** The file, folder or table that outlives a store. */
export interface StoreDisk {
  /** Returns the store on this disk as after a restart, not yet opened. */
  store(): Store;
  /** Closes what is open, and removes the disk. */
  dispose?(): Promise<void>;
}

export interface StoreContract {
  /** Makes a new, empty disk; called for each case. */
  readonly make: () => StoreDisk | Promise<StoreDisk>;
  /** The seed of random commits. Default: 1. */
  readonly seed?: number;
}

export const put = (key: string, value = key): Write => ({ put: key, value });
export const ALL = { gte: "", lt: "\x7f" };

export class OpenStore {
  readonly disk: StoreDisk;
  readonly seed: number;
  readonly store: Store;

  constructor(disk: StoreDisk, seed: number) {
    this.disk = disk;
    this.seed = seed;
    this.store = disk.store();
  }

  readonly rows = (range: Range = ALL, from = this.store) => [...from.range(range)];
  readonly keys = (range: Range) => this.rows(range).map(([key]) => key);
}
