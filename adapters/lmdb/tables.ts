// Tables
// The LMDB folder, opened: which options, which tables, which processes have it open, is there room.
//
//   Owns:          lmdb's options and why; the folder's mode; reading lmdb's list of processes.
//   Does not own:  when anything is written and who may (environment.ts), what the rows mean.
//
// L1. What a transaction reports as done is on disk, and no reader of any process saw it before. With overlapping sync
//     off, lmdb syncs the pages, then writes and syncs the page that points to them, then lets readers see it. With it
//     on, readers see a transaction first, and after a failed sync they still do.
// L2. A failed transaction leaves nothing behind, whatever is done afterwards: nothing points to its pages. There is
//     nothing to roll back at the next start, and no exit hook that syncs again.
// L3. A rejected transaction is one rejection. With event-turn batching on, lmdb makes a second promise for the batch
//     that nobody can catch.

import { mkdir, open as openFile, statfs } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { constants } from "node:os";
import { join } from "node:path";
import { open } from "lmdb";
import type { Database, RootDatabase } from "lmdb";
import { FatalError, RetryableError } from "../../runtime/errors.ts";

export interface Tables {
  readonly root: RootDatabase<string, string>;
  /** The store's rows, by their own keys. */
  readonly rows: Database<string, string>;
  /** The journal's entries, by position. */
  readonly entries: Database<string, number>;
  /** The owner's process, the journal's head. */
  readonly meta: Database<string, string>;
  /** One row, whose version is the epoch. */
  readonly fence: Database<string, string>;
}

/** Below this much room nothing is tried: lmdb's lock file is memory-mapped, and a full disk under it kills the process. */
const ROOM_MIN_BYTES = 1 << 20;
const HEADER_BYTES = 8192;
const MAGIC = Buffer.from([0xde, 0xc0, 0xef, 0xbe]);
const PROBE_AFTER_MS = 1000;
const FULL: readonly unknown[] = [constants.errno.ENOSPC, constants.errno.EDQUOT];

/**
 * Opens the folder, and makes it (readable by its user only) where it is missing.
 * @throws RetryableError STORE_FULL when there is no room for it; FatalError STORE_UNOPENED for any other reason.
 */
export async function openTables(dir: string): Promise<Tables> {
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    const { bavail, bsize } = await statfs(dir);
    if (bavail * bsize < ROOM_MIN_BYTES) throw storeFull(dir);
    await checkHeader(join(dir, "data.mdb"));
    return await openHere(dir);
  } catch (error) {
    if (error instanceof RetryableError) throw error;
    if (isFull(error)) throw storeFull(dir, error);
    throw new FatalError(
      "STORE_UNOPENED",
      `The folder ${dir} cannot be opened as a store.`,
      "Check that it is a folder on a local disk that this user may write; else restore it from a backup.",
      { cause: error },
    );
  }
}

/** lmdb ends the process on a file that is not its own instead of saying so. @throws when it is not. */
async function checkHeader(path: string): Promise<void> {
  let file: FileHandle;
  try {
    file = await openFile(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return;
    throw error;
  }
  try {
    const { size } = await file.stat();
    const { buffer } = await file.read(Buffer.alloc(64), 0, 64, 0);
    const whole = size >= HEADER_BYTES && buffer.includes(MAGIC);
    if (size > 0 && !whole) throw new Error(`${path} is not an lmdb file, or only the beginning of one.`);
  } finally {
    await file.close();
  }
}

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
    const rows = root.openDB<string, string>({ name: "rows", encoding: "string" });
    const entries = root.openDB<string, number>({ name: "journal", encoding: "string" });
    const meta = root.openDB<string, string>({ name: "meta", encoding: "string" });
    const fence = root.openDB<string, string>({ name: "fence", encoding: "string", useVersions: true });
    return { root, rows, entries, meta, fence };
  } catch (error) {
    await root.close();
    throw error;
  }
}

/**
 * The processes that have the folder open. lmdb keeps one kernel lock per process beside its list, so that one killed
 * with -9 is gone from it at once, and a process that got its number later does not stand in for it.
 */
export function processesOf({ root }: Tables): readonly number[] {
  root.readerCheck();
  return [...root.readerList().matchAll(/^\s*(\d+) /gm)].map(([, pid]) => Number(pid));
}

/** True for an error of lmdb or Node that says: no room. */
export function isFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code: unknown = "code" in error ? error.code : undefined;
  return FULL.includes(code) || code === "ENOSPC" || code === "EDQUOT";
}

export function storeFull(dir: string, cause?: unknown): RetryableError {
  return new RetryableError(
    "STORE_FULL",
    `The disk under ${dir} is full.`,
    "Make room; deleting rows needs room too. The engine tries again by itself.",
    PROBE_AFTER_MS,
    { cause },
  );
}
