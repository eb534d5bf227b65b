// Open
// Opens a store and its embedded journal in one LMDB folder.
//
//   Owns:          opening store and journal on one environment.
//   Does not own:  in which order store and journal are used: the engine opens the store, then the journal.
//   Decided in:    docs/decisions/0046-the-store-stays-lmdb.md.

import type { Clock, Journal, Store } from "../../runtime/ports.ts";
import { DiskRoom } from "./disk-room.ts";
import { Environment, type EnvironmentOptions } from "./environment.ts";
import { LmdbJournal } from "./journal.ts";
import { LmdbStore } from "./store.ts";

export interface LmdbOptions extends EnvironmentOptions {
  /** How many bytes the journal may contain; default 4 GiB. */
  readonly journalBytes?: number;
}

export interface LmdbFolder {
  readonly store: Store;
  readonly journal: Journal;
  readonly close: () => Promise<void>;
}

/**
 * Makes a store and a journal that are not open: call `store.open()` first, then `journal.open()`. After the first failed write
 * the process must end; however it ends, the data on disk stay sound. No other code of the process may open and close
 * `lock.mdb`, because closing it releases the kernel lock by which other processes see that the owner is alive.
 * @param dir a folder for nothing else, created with mode 0700 if missing.
 */
export function openLmdb(dir: string, clock: Clock, options: LmdbOptions = {}): LmdbFolder {
  const environment = new Environment(dir, options);
  const store = new LmdbStore(environment, clock);
  const journal = new LmdbJournal(environment, clock, {
    max: options.journalBytes,
    disk: new DiskRoom(dir, clock),
  });
  return {
    store,
    journal,
    async close() {
      await journal.close();
      await store.close();
    },
  };
}
