// Transaction
// Writes a list of puts: all reach the disk, or none, and only if the epoch is still this process's.
//
//   Owns:          how lmdb is called for that.
//   Does not own:  when to write, how much at once, and what a failure means (environment.ts).
//
// TRANSACTION-1. lmdb's own thread checks the epoch inside the write transaction, as the version of one row. A callback could
//     check the epoch, too, but then lmdb's thread waits for the main thread. A process that exits before the callback has run
//     (an uncaught error is enough) waits for lmdb's thread, and never ends.
// TRANSACTION-2. Nothing can throw between the first put and the last, as that would commit the earlier puts: keys and texts were
//     checked before.

import type { Database } from "lmdb";
import { summed } from "./row-sum.ts";
import type { Tables } from "./tables.ts";

/** A row to write; without text, a row to remove. */
export type Put =
  | { readonly table: "rows" | "meta"; readonly key: string; readonly text?: string }
  | { readonly table: "entries"; readonly key: number; readonly text?: string }
  | { readonly table: "redo"; readonly key: number; readonly text?: Buffer };

/** The row of `fence` whose version is the epoch. */
export const EPOCH = "epoch";

export const readEpoch = ({ fence }: Tables): number => fence.getEntry(EPOCH)?.version ?? 0;

/**
 * @param epoch the caller's; nothing is written if the store has another. @param nextEpoch is set in the same transaction.
 * @returns once all is durable; false if the store has another epoch. @throws the disk's own error.
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

/** The real error of a failed transaction: lmdb rejects with a general error that carries a promise of it. */
async function causeOf(error: unknown): Promise<unknown> {
  if (!(error instanceof Error && "commitError" in error && error.commitError instanceof Promise))
    return error;
  return error.commitError.then(
    () => error,
    (cause: unknown) => cause,
  );
}
