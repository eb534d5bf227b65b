// Environment
// The one place that writes to the LMDB folder: who owns it, what shares a flush, when to stop for good.
//
//   Owns:          the epoch and the owner, grouping of writes, the watchdog, the state "failed".
//   Does not own:  what is written: store and journal hand in lists of puts.
//   Called by:     store.ts, journal.ts, open.ts. Nothing else.
//
// E1. One live owner. A process that lmdb still lists is not taken over from, unless forced. Two that try at once
//     compare and set the epoch: one wins, the other looks again.
// E2. Every transaction is on condition of the epoch. An owner that was taken over from can write nothing more.
// E3. At most one transaction is under way. All that is handed in meanwhile, and in the same round of the event loop,
//     shares the next one, and its flush: a message and the turn it leads to are written together.
// E4. After the first failure nothing is written any more: the disk may have dropped what it was given, and a later
//     success would hide that. Everyone waiting is told, and `onFatal` once.

import { resolve as absolute } from "node:path";
import { setImmediate as nextRound } from "node:timers/promises";
import { FatalError, storeBusy, storeFailed, storeFenced } from "../../runtime/errors.ts";
import { isFull, openTables, processesOf, storeFull } from "./tables.ts";
import type { Tables } from "./tables.ts";
import { readEpoch, transact } from "./transaction.ts";
import type { Put } from "./transaction.ts";

export interface EnvironmentOptions {
  /** Take the store over even from a live process, which then fails at its next write. */
  readonly force?: boolean;
  /** How long one transaction may take before it counts as failed, ms. Default 10,000. */
  readonly commitTimeoutMs?: number;
  /** Called once, with the first write that failed: nothing can be written any more. */
  readonly onFatal?: (error: FatalError) => void;
}

interface Waiting {
  readonly puts: readonly Put[];
  readonly resolve: () => void;
  readonly reject: (error: FatalError) => void;
}

/** One owner per folder within a process too: lmdb must not have one folder open twice there. */
const ownersHere = new Map<string, Environment>();

export class Environment {
  readonly #dir: string;
  readonly #options: EnvironmentOptions;
  #tables: Tables | undefined;
  #epoch = 0;
  #failure: FatalError | undefined;
  #waiting: Waiting[] = [];
  #flushing: Promise<void> | undefined;
  /** A transaction did not come back: lmdb cannot be closed any more. */
  #stuck = false;

  constructor(dir: string, options: EnvironmentOptions) {
    this.#dir = absolute(dir);
    this.#options = options;
  }

  /**
   * Opens the folder and takes it over. May be called again after STORE_FULL.
   * @returns the new epoch, durable.
   * @throws FatalError STORE_BUSY, STORE_FAILED, STORE_STUCK, STORE_UNOPENED; RetryableError STORE_FULL.
   */
  async takeOver(): Promise<number> {
    if (this.#failure) throw this.#failure;
    if (this.#tables)
      throw new FatalError("STORE_OPEN", `The store in ${this.#dir} is already open.`, "Open it once.");
    const owner = ownersHere.get(this.#dir);
    if (owner) await owner.#handOver();
    const tables = await openTables(this.#dir);
    try {
      this.#epoch = await this.#nextEpoch(tables);
    } catch (error) {
      if (isFull(error)) {
        await tables.root.close();
        throw storeFull(this.#dir, error);
      }
      const fatal = error instanceof FatalError ? error : storeFailed(error);
      if (this.#stuck) this.#failure = fatal;
      else await tables.root.close();
      throw fatal;
    }
    this.#tables = tables;
    ownersHere.set(this.#dir, this);
    return this.#epoch;
  }

  /** The tables, to read from. @throws FatalError once anything has failed, or when not open. */
  get tables(): Tables {
    if (this.#failure) throw this.#failure;
    if (!this.#tables) throw closed(this.#dir);
    return this.#tables;
  }

  /**
   * Writes all of `puts`, in order, or none; they are on disk when this resolves. Calls are applied, and resolve, in
   * order. Keys and texts must have been checked.
   * @throws FatalError STORE_FAILED, STORE_FENCED, STORE_STUCK
   */
  async write(puts: readonly Put[]): Promise<void> {
    const { tables } = this;
    await new Promise<void>((resolve, reject) => {
      this.#waiting.push({ puts, resolve, reject });
      this.#flushing ??= this.#flush(tables);
    });
  }

  /** Refuses new writes, waits for those handed in, closes the folder. */
  async close(): Promise<void> {
    const tables = this.#tables;
    this.#tables = undefined;
    await this.#flushing;
    if (ownersHere.get(this.#dir) === this) ownersHere.delete(this.#dir);
    if (!this.#stuck) await tables?.root.close();
  }

  async #flush(tables: Tables): Promise<void> {
    for (;;) {
      // What those just told hand in next is in time for the next transaction.
      await nextRound();
      if (this.#waiting.length === 0) break;
      const group = this.#waiting.splice(0);
      try {
        const puts = group.flatMap((one) => one.puts);
        const held = await this.#inTime(transact(tables, this.#epoch, puts));
        if (!held) throw storeFenced(this.#epoch, readEpoch(tables));
        for (const { resolve } of group) resolve();
      } catch (error) {
        this.#fail(error instanceof FatalError ? error : storeFailed(error), group);
      }
    }
    this.#flushing = undefined;
  }

  async #nextEpoch(tables: Tables): Promise<number> {
    for (;;) {
      const found = readEpoch(tables);
      this.#refuseIfOwned(tables);
      const owner: Put = { table: "meta", key: "owner", text: String(process.pid) };
      if (await this.#inTime(transact(tables, found, [owner], found + 1))) return found + 1;
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

  /** Another store of this process opens the same folder. */
  async #handOver(): Promise<void> {
    await this.#flushing;
    if (!this.#failure) this.#fail(storeFenced(this.#epoch, this.#epoch + 1), []);
    await this.close();
  }

  #refuseIfOwned(tables: Tables): void {
    if (this.#options.force) return;
    const owner = Number(tables.meta.get("owner"));
    if (owner !== process.pid && processesOf(tables).includes(owner)) throw storeBusy(this.#dir);
  }
}

function closed(dir: string): FatalError {
  return new FatalError("STORE_CLOSED", `The store in ${dir} is not open.`, "Open it first.");
}

function storeStuck(timeoutMs: number): FatalError {
  return new FatalError(
    "STORE_STUCK",
    `The disk did not answer for ${timeoutMs} ms.`,
    "End the process with SIGKILL: every other exit waits for lmdb's thread, and that waits for the disk.",
  );
}
