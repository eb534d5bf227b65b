// Environment
// The only writer to the LMDB folder: decides who owns it, which writes share a flush, and when writing stops for good.
//
//   Owns:          the epoch and the owner, grouping writes, giving up on a transaction that takes too long, the state
//                  "failed".
//   Does not own:  what is written (store.ts, journal.ts).
//   Decided in:    docs/decisions/0012-one-folder-for-journal-and-store.md.
//
// ENVIRONMENT-1. Nobody takes the folder over from an owner that is alive (ownership.ts), unless the takeover is forced. If two
//     processes take the folder over at the same time, only one can set the next epoch; the other checks again.
// ENVIRONMENT-2. Every transaction succeeds only under the current epoch, so a former owner can write nothing more.
// ENVIRONMENT-3. At most one transaction runs at a time. All writes that come while it runs, or in the same round of the event
//     loop, share the next transaction and its flush.
// ENVIRONMENT-4. After the first failed write, nothing more is written: the disk may have dropped data, and a later success would
//     hide that. Every waiting caller gets the error, and `onFatal` is called once.
// ENVIRONMENT-5. If the opened files were replaced, no write is acknowledged: with a different lock.mdb, lmdb would let two
//     engines write at the same time, and each would overwrite the other's data.
// ENVIRONMENT-6. The file that marks an orderly end (orderly.ts) is written only if all writes are on disk, and the epoch and
//     the files are still this process's.
// ENVIRONMENT-7. After a takeover the redo log is empty: before any row is read, the rows that an earlier owner left in the log
//     are written to their tables (fold.ts).

import { join, resolve as absolute } from "node:path";
import { setImmediate as nextRound } from "node:timers/promises";
import {
  FatalError,
  type RetryableError,
  storeBusy,
  storeFailed,
  storeFenced,
} from "../../runtime/errors/errors.ts";
import { foldLeft } from "./fold.ts";
import { type Files, filesIn, isHeld, type MarkOf, ownerRow } from "./ownership.ts";
import { dropMark, leaveMark } from "./orderly.ts";
import { openTables, type Tables } from "./tables.ts";
import { type Put, readEpoch, transact } from "./transaction.ts";
import { type Known, storeOlder, storeReplaced, troubleOf } from "./trouble.ts";

export interface EnvironmentOptions {
  /** Whether to take the store over even from a live process, which then fails at its next write. */
  readonly force?: boolean;
  /** How long one transaction may take before it counts as failed, ms. Default 10,000. */
  readonly commitTimeoutMs?: number;
  /** What is known of a store that was used before: it must exist, and have at least this epoch. */
  readonly known?: Known | undefined;
  /**
   * For a store that is restored from a backup: the epoch of the store in the backup. The restored store's epochs are all
   * higher, so that changes of the two stores never have the same epoch.
   */
  readonly after?: number;
  /** How a live process is recognised; if undefined, only lmdb's list says which processes are alive. */
  readonly markOf?: MarkOf;
  /** Called once, with the error of the first failed write. After this error, nothing can be written any more. */
  readonly onFatal?: (error: FatalError) => void;
}

interface Waiting {
  readonly puts: readonly Put[];
  readonly resolve: () => void;
  readonly reject: (error: FatalError) => void;
}

/** This process's open stores by folder: lmdb must not open a folder twice in one process. */
const ownersHere = new Map<string, Environment>();

export class Environment {
  readonly dir: string;
  readonly #options: EnvironmentOptions;
  #tables: Tables | undefined;
  #files: Files | undefined;
  #epoch = 0;
  #failure: FatalError | undefined;
  #waiting: Waiting[] = [];
  #flushing: Promise<void> | undefined;
  /** True once a transaction has not returned in time, so that lmdb cannot be closed any more. */
  #stuck = false;

  constructor(dir: string, options: EnvironmentOptions) {
    this.dir = absolute(dir);
    this.#options = options;
  }

  /**
   * Opens the folder and takes it over. May be called again after a RetryableError.
   * @returns the new epoch, once it is durable.
   * @throws FatalError STORE_BUSY, STORE_FAILED, STORE_STUCK, STORE_OLDER and as `openTables`; RetryableError STORE_FULL,
   * STORE_READ_ONLY.
   */
  async takeOver(): Promise<number> {
    if (this.#failure) throw this.#failure;
    if (this.#tables)
      throw new FatalError("STORE_OPEN", `The store in ${this.dir} is already open.`, "Open it once.");
    const owner = ownersHere.get(this.dir);
    if (owner) await owner.#handOver();
    const tables = await openTables(this.dir, this.#options.known);
    try {
      this.#files = filesIn(this.dir);
      this.#epoch = await this.#nextEpoch(tables);
      await foldLeft(this.dir, tables, (puts) => this.#alone(tables, puts));
      // The epoch has changed by now, so an earlier owner that is just closing notices this, and leaves no mark (ORDERLY-2).
      await dropMark(this.dir);
    } catch (error) {
      const told = this.#told(error);
      if (this.#stuck && told instanceof FatalError) this.#failure = told;
      else await tables.root.close();
      throw told;
    }
    this.#tables = tables;
    ownersHere.set(this.dir, this);
    return this.#epoch;
  }

  /** @throws FatalError if a write has failed, or the store is not open. */
  get tables(): Tables {
    if (this.#failure) throw this.#failure;
    if (!this.#tables) throw closed(this.dir);
    return this.#tables;
  }

  /**
   * Writes all of `puts` in order, or none; resolves once they are on disk. The caller must have checked keys and texts.
   * @throws FatalError STORE_FAILED, STORE_FENCED, STORE_STUCK, STORE_REPLACED
   */
  async write(puts: readonly Put[]): Promise<void> {
    const { tables } = this;
    await new Promise<void>((resolve, reject) => {
      this.#waiting.push({ puts, resolve, reject });
      this.#flushing ??= this.#flush(tables);
    });
  }

  async close(): Promise<void> {
    const tables = this.#tables;
    this.#tables = undefined;
    await this.#flushing;
    if (ownersHere.get(this.dir) === this) ownersHere.delete(this.dir);
    if (tables && this.#isInOrder(tables)) await leaveMark(this.dir, join(this.dir, "data.mdb"));
    if (!this.#stuck) await tables?.root.close();
  }

  async #flush(tables: Tables): Promise<void> {
    for (;;) {
      // Callers whose promise was just resolved may write more; what they write in this round still joins the next transaction.
      await nextRound();
      if (this.#waiting.length === 0) break;
      const group = this.#waiting.splice(0);
      try {
        const puts = group.flatMap((one) => one.puts);
        await this.#alone(tables, puts);
        for (const { resolve } of group) resolve();
      } catch (error) {
        this.#fail(error instanceof FatalError ? error : storeFailed(error), group);
      }
    }
    this.#flushing = undefined;
  }

  async #alone(tables: Tables, puts: readonly Put[]): Promise<void> {
    this.#checkFiles();
    const held = await this.#inTime(transact(tables, this.#epoch, puts));
    this.#checkFiles();
    if (!held) throw storeFenced(this.#epoch, readEpoch(tables));
  }

  async #nextEpoch(tables: Tables): Promise<number> {
    const { known, force = false, after = 0, markOf = () => undefined } = this.#options;
    for (;;) {
      const found = readEpoch(tables);
      if (known && found < known.epoch) throw storeOlder(this.dir, found, known);
      const files = this.#checkFiles();
      if (!force && isHeld(this.dir, tables, files, markOf)) throw storeBusy(this.dir);
      const next = Math.max(found, after) + 1;
      const isOurs = await this.#inTime(transact(tables, found, [ownerRow(files, markOf)], next));
      this.#checkFiles();
      if (isOurs) return next;
    }
  }

  async #inTime<T>(transaction: Promise<T>): Promise<T> {
    const timeoutMs = this.#options.commitTimeoutMs ?? 10_000;
    let watchdog: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      watchdog = setTimeout(() => {
        this.#stuck = true;
        reject(storeStuck(timeoutMs));
      }, timeoutMs);
    });
    try {
      return await Promise.race([transaction, late]);
    } finally {
      clearTimeout(watchdog);
    }
  }

  #fail(error: FatalError, group: readonly Waiting[]): void {
    this.#failure = error;
    for (const { reject } of [...group, ...this.#waiting.splice(0)]) reject(error);
    this.#options.onFatal?.(error);
  }

  /** Hands the folder over to another store of this process that is just opening the folder. */
  async #handOver(): Promise<void> {
    await this.#flushing;
    if (!this.#failure) this.#fail(storeFenced(this.#epoch, this.#epoch + 1), []);
    await this.close();
  }

  #isInOrder(tables: Tables): boolean {
    if (this.#failure || this.#stuck) return false;
    try {
      this.#checkFiles();
      return readEpoch(tables) === this.#epoch;
    } catch {
      return false;
    }
  }

  /** ENVIRONMENT-5. Checks that the folder still has the files that were opened. @throws FatalError STORE_REPLACED */
  #checkFiles(): Files {
    const opened = this.#files;
    const now = filesIn(this.dir);
    if (opened && now && now.data === opened.data && now.lock === opened.lock) return opened;
    throw storeReplaced(this.dir);
  }

  #told(error: unknown): FatalError | RetryableError {
    if (error instanceof FatalError) return error;
    return troubleOf(this.dir, error) ?? storeFailed(error);
  }
}

export function closed(dir: string): FatalError {
  return new FatalError("STORE_CLOSED", `The store in ${dir} is not open.`, "Open it first.");
}

function storeStuck(timeoutMs: number): FatalError {
  return new FatalError(
    "STORE_STUCK",
    `The disk did not answer for ${timeoutMs} ms.`,
    "End the process with SIGKILL: every other way to exit waits for lmdb's thread, which waits for the disk.",
  );
}
