// Open store
// The store that a case is about, on a disk that outlives it.
//
//   Owns:          opening it; reading rows and keys.
//   Does not own:  what a store promises (*.contract.ts).

import type { Range, Store, Write } from "../ports.ts";

/** What outlives a store: a file, a folder, a table. */
export interface StoreDisk {
  /** A store on this disk, not yet opened: as after a restart. */
  store(): Store;
  /** Closes what is open, and removes the disk. */
  dispose?(): Promise<void>;
}

export interface StoreContract {
  /** Makes a new, empty disk; it is called for each case. */
  readonly make: () => StoreDisk | Promise<StoreDisk>;
  /** What random commits are drawn from. Default: 1. */
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
