// Tables
// Opens the LMDB folder with its tables, and finds out who else has the folder open and whether the disk has room.
//
//   Owns:          lmdb's options and the reasons for them; the folder's mode; reading lmdb's list of processes.
//   Does not own:  when anything is written and who may (environment.ts), what the rows mean.
//
// TABLES-1. A transaction that is reported as done is on disk, and no reader in any process saw it before it was on disk. With
//     lmdb's `overlappingSync`, readers would see it earlier, and would still see it after a failed sync.
// TABLES-2. A failed transaction has no effect: no header points to its pages, and no exit hook of lmdb syncs them later.
// TABLES-3. A failed transaction rejects one promise. With lmdb's event-turn batching, a second promise for the whole batch
//     would be rejected, which no code can catch.
// TABLES-4. A data file is opened only after a check that lmdb can follow its pages (data-file.ts). Every page is checked, unless
//     the file's last owner ended in order (orderly.ts).

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
  readonly rows: Database<string, string>;
  /** The journal's entries, by position. */
  readonly entries: Database<string, number>;
  /** Commits that are not folded yet, by number (redo-log.ts). */
  readonly redo: Database<Buffer, number>;
  /** Rows about the whole store: the owner's process, the journal's head, how far the redo log is folded. */
  readonly meta: Database<string, string>;
  /** A table with one row. The version that lmdb has for this row is the epoch. */
  readonly fence: Database<string, string>;
}

/** How much room must be free to open a store: lmdb maps its lock file into memory, and a full disk would kill the process. */
const ROOM_MIN_BYTES = 1 << 20;

/**
 * @param known what is known of a store that was used before: such a store is opened, never created.
 * @throws RetryableError STORE_FULL if there is no room, STORE_READ_ONLY if the store cannot be written; FatalError STORE_LOST,
 * STORE_DAMAGED, STORE_BUSY, STORE_UNOPENED for any other reason.
 */
export async function openTables(dir: string, known?: Known): Promise<Tables> {
  try {
    if (!known) await mkdir(dir, { recursive: true, mode: 0o700 });
    else if (await isMissing(join(dir, "data.mdb"))) throw storeLost(join(dir, "data.mdb"), known);
    // The slow check of the pages comes last, because a start that waits for disk space repeats these checks each second.
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

/** Checks the data file before lmdb maps it: every page, unless the last owner ended in order (TABLES-4). */
async function checkDataFile(dir: string, known: Known | undefined): Promise<void> {
  const path = join(dir, "data.mdb");
  const isOrderly = await fitsMark(dir, path);
  const found = await lookAtDataFile(path, { isThorough: !isOrderly });
  if (found === "none" && known) throw storeLost(path, known);
  if (typeof found === "object") throw storeDamaged(path, found.trouble);
  // The mark of an orderly end is removed only after all checks, because a start that is refused must change nothing.
  await dropMark(dir);
}

/** Checks that a file can be written. A missing file is no error, because lmdb creates the file. */
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

/** Opens the tables and creates missing ones. If the folder was opened for reading only, a missing table is undefined. */
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
 * Checks that lmdb allows reading. lmdb refuses to read if a process in another container has the same id as this process,
 * because lmdb's kernel locks tell processes apart only by their ids.
 * @throws FatalError STORE_BUSY
 */
function checkReadable(meta: Database<string, string>, dir: string): void {
  try {
    meta.get("owner");
  } catch (error) {
    throw error instanceof TypeError ? storeBusy(dir, error) : error;
  }
}

/**
 * The ids of the processes that have the folder open. lmdb checks its list by one kernel lock per process: a killed process
 * leaves the list immediately, and no later process with the same id is mistaken for it.
 */
export function processesOf({ root }: Pick<Tables, "root">): readonly number[] {
  root.readerCheck();
  return [...root.readerList().matchAll(/^\s*(\d+) /gm)].map(([, pid]) => Number(pid));
}
