// Tables
// Opens the LMDB folder: with which options and tables, who else has it open, whether there is room.
//
//   Owns:          lmdb's options and the reasons for them; the folder's mode; reading lmdb's list of processes.
//   Does not own:  when anything is written and who may (environment.ts), what the rows mean.
//
// TABLES-1. A transaction reported as done is on disk, and no reader of any process saw it before. With overlapping sync off,
//     lmdb syncs the pages, then writes and syncs the page that points to them, then lets readers see the transaction. With
//     overlapping sync on, readers see a transaction before it is on disk, and still see it after a failed sync.
// TABLES-2. A failed transaction leaves nothing behind, whatever follows: nothing points to its pages. The next start has nothing
//     to roll back, and no exit hook syncs again.
// TABLES-3. A rejected transaction is one rejection. With event-turn batching on, lmdb makes a second promise for the batch,
//     which nobody can catch.
// TABLES-4. A file is opened only after a check that lmdb can follow it (data-file.ts): a missing or wrong page makes lmdb end
//     the process. Every page is checked, unless the last owner left the file in order (orderly.ts).

import { access, constants, mkdir, statfs } from "node:fs/promises";
import { join } from "node:path";
import { type Database, open, type RootDatabase } from "lmdb";
import { isThere } from "../../runtime/errors/system-codes.ts";
import { FatalError, RetryableError, storeBusy } from "../../runtime/errors/errors.ts";
import { lookAtDataFile } from "./data-file.ts";
import { dropMark, fitsMark } from "./orderly.ts";
import { type Known, storeDamaged, storeFull, storeLost, storeUnopened, troubleOf } from "./trouble.ts";

export interface Tables {
  readonly root: RootDatabase<string, string>;
  /** The store's rows, by their own keys. */
  readonly rows: Database<string, string>;
  /** The journal's entries, by position. */
  readonly entries: Database<string, number>;
  /** Commits that are not folded yet, by number (redo-log.ts). */
  readonly redo: Database<Buffer, number>;
  /** The owner's process, the journal's head, how far the redo log is folded. */
  readonly meta: Database<string, string>;
  /** A table with one row, whose version is the epoch. */
  readonly fence: Database<string, string>;
}

/** Nothing is opened if less room is free: lmdb's lock file is memory-mapped, and a full disk under it kills the process. */
const ROOM_MIN_BYTES = 1 << 20;

/**
 * Opens the folder; creates it, readable only by its user, if it is missing.
 * @param known what is known of a store that was used before: such a store is opened, never created.
 * @throws RetryableError STORE_FULL if there is no room, STORE_READ_ONLY if it cannot be written; FatalError STORE_LOST,
 * STORE_DAMAGED, STORE_BUSY, STORE_UNOPENED for any other reason.
 */
export async function openTables(dir: string, known?: Known): Promise<Tables> {
  try {
    if (!known) await mkdir(dir, { recursive: true, mode: 0o700 });
    else if (await isMissing(join(dir, "data.mdb"))) throw storeLost(join(dir, "data.mdb"), known);
    // This check comes before the slow check of the pages: while a start waits for disk space, it checks each second.
    for (const path of [dir, join(dir, "data.mdb"), join(dir, "lock.mdb")]) await checkWritable(path);
    const { bavail, bsize } = await statfs(dir);
    if (bavail * bsize < ROOM_MIN_BYTES) throw storeFull(dir);
    await checkDataFile(dir, known);
    return await openHere(dir);
  } catch (error) {
    if (error instanceof RetryableError || error instanceof FatalError) throw error;
    throw troubleOf(dir, error) ?? storeUnopened(dir, error);
  }
}

/** Checks the data file before lmdb opens it (TABLES-4). */
async function checkDataFile(dir: string, known: Known | undefined): Promise<void> {
  const path = join(dir, "data.mdb");
  const isOrderly = await fitsMark(dir, path);
  const found = await lookAtDataFile(path, { isThorough: !isOrderly });
  if (found === "none" && known) throw storeLost(path, known);
  if (typeof found === "object") throw storeDamaged(path, found.trouble);
  // The mark is removed only after all checks: a start that is refused must change nothing.
  await dropMark(dir);
}

/** Makes the file if it is missing. */
async function checkWritable(path: string): Promise<void> {
  if (!(await isMissing(path))) await access(path, constants.W_OK);
}

const isMissing = async (path: string): Promise<boolean> => !(await isThere(access(path)));

async function openHere(dir: string): Promise<Tables> {
  const options = {
    path: dir,
    noSubdir: false,
    encoding: "string",
    overlappingSync: false,
    eventTurnBatching: false,
    permissionsMode: 0o600,
  } as const;
  const root = open<string, string>(options);
  try {
    const tables = tablesOf(root);
    checkReadable(tables.meta, dir);
    return tables;
  } catch (error) {
    await root.close();
    throw error;
  }
}

/** Opens the tables and makes missing ones; in a folder opened for reading, a missing table is undefined. */
export function tablesOf(root: RootDatabase<string, string>): Tables {
  return {
    root,
    rows: root.openDB<string, string>({ name: "rows", encoding: "string" }),
    entries: root.openDB<string, number>({ name: "journal", encoding: "string" }),
    redo: root.openDB<Buffer, number>({ name: "redo", encoding: "binary" }),
    meta: root.openDB<string, string>({ name: "meta", encoding: "string" }),
    fence: root.openDB<string, string>({ name: "fence", encoding: "string", useVersions: true }),
  };
}

/**
 * lmdb's kernel locks tell processes apart only by their number: a process of another container with this number holds the same
 * lock, and lmdb then allows no reading. @throws FatalError STORE_BUSY
 */
function checkReadable(meta: Database<string, string>, dir: string): void {
  try {
    meta.get("owner");
  } catch (error) {
    throw error instanceof TypeError ? storeBusy(dir, error) : error;
  }
}

/**
 * The processes that have the folder open. Beside its list, lmdb has one kernel lock per process: a killed process leaves the
 * list at once, and a later process with its number is not mistaken for it.
 */
export function processesOf({ root }: Pick<Tables, "root">): readonly number[] {
  root.readerCheck();
  return [...root.readerList().matchAll(/^\s*(\d+) /gm)].map(([, pid]) => Number(pid));
}
