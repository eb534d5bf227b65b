// Transaction
// Writes a list of puts: all reach the disk, or none, and only if the epoch is still this process's.
//
//   Owns:          how lmdb is called to write a list.
//   Does not own:  when to write, how much at a time, and what a failure means (environment.ts).
//
// TRANSACTION-1. The epoch is the version number that lmdb keeps for the only row of the table `fence`, so lmdb's own thread
//     checks the epoch inside the write transaction. If a callback checked it, lmdb's thread would wait for the main thread, and
//     a process that exits before the callback has run would never end.
// TRANSACTION-2. The callers check keys and texts before the transaction, so that no put in it throws: lmdb would commit the
//     puts before the error, and none after it.

import type { Database } from "lmdb";
import { summed } from "./row-sum.ts";
import type { Tables } from "./tables.ts";

/** A row to write, or, without a text, a row to remove. */
export type Put =
  | { readonly table: "rows" | "meta"; readonly key: string; readonly text?: string }
  | { readonly table: "entries"; readonly key: number; readonly text?: string }
  | { readonly table: "redo"; readonly key: number; readonly text?: Buffer };

/** The row of `fence` whose version is the epoch. */
export const EPOCH = "epoch";

export const readEpoch = ({ fence }: Tables): number => fence.getEntry(EPOCH)?.version ?? 0;

/**
 * @param epoch the caller's epoch; nothing is written if the store has another.
 * @param nextEpoch the epoch that the same transaction sets.
 * @returns once all puts are durable; false if the store has another epoch.
 * @throws the disk's own error.
 */
export async function transact(
  tables: Tables,
  epoch: number,
  puts: readonly Put[],
  nextEpoch?: number,
): Promise<boolean> {
  const { fence } = tables;
  const apply = (): void => {
    if (nextEpoch !== undefined) void fence.put(EPOCH, String(nextEpoch), nextEpoch);
    for (const put of puts) {
      if (put.table === "entries") write(tables.entries, put.key, put.text);
      else if (put.table === "redo") write(tables.redo, put.key, put.text);
      else if (put.table === "meta") write(tables.meta, put.key, put.text);
      else write(tables.rows, put.key, put.text === undefined ? undefined : summed(put.key, put.text));
    }
  };
  try {
    return await (epoch === 0 ? fence.ifNoExists(EPOCH, apply) : fence.ifVersion(EPOCH, epoch, apply));
  } catch (error) {
    throw await causeOf(error);
  }
}

function write<K extends string | number, V extends string | Buffer>(
  table: Database<V, K>,
  key: K,
  text: V | undefined,
): void {
  void (text === undefined ? table.remove(key) : table.put(key, text));
}

/** The real error of a failed transaction: lmdb rejects with a general error, which has a promise of the real one. */
async function causeOf(error: unknown): Promise<unknown> {
  if (!(error instanceof Error && "commitError" in error && error.commitError instanceof Promise))
    return error;
  return error.commitError.then(
    () => error,
    (cause: unknown) => cause,
  );
}
