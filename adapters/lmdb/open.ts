// Open
// Opens a store and its embedded journal in one LMDB folder.
//
//   Owns:          putting both on one environment.
//   Does not own:  the order of use: the engine opens the store, then the journal.
//   Decided in:    docs/decisions/0046-the-store-stays-lmdb.md.

import type { Clock, Journal, Store } from "../../runtime/ports.ts";
import { DiskRoom } from "./disk-room.ts";
import { Environment, type EnvironmentOptions } from "./environment.ts";
import { LmdbJournal } from "./journal.ts";
import { LmdbStore } from "./store.ts";

export interface LmdbOptions extends EnvironmentOptions {
  /** Bytes the journal may contain; default 4 GiB. */
  readonly journalBytes?: number;
}

export interface LmdbFolder {
  readonly store: Store;
  readonly journal: Journal;
  /** Ends waiting reads, waits for the current write, closes the folder. */
  readonly close: () => Promise<void>;
}

/**
 * Does nothing before `store.open()`; `journal.open()` comes next. Both share flushes and failure: after the first failed write
 * neither writes again, every caller gets the same FatalError, `onFatal` is called once, and the process must end, in whatever
 * way: the data on disk stay sound.
 * No other code of the process may open and close `lock.mdb`: that drops the kernel lock by which others see the owner.
 * @param dir its own folder, created with mode 0700 if missing. @param clock the clock for journal stamps and checkpoints.
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
