// Ownership
// Finds out whether another process owns the store, and whether the store's files are still those that were opened.
//
//   Owns:          the row that names the owner, how a file is recognised as the same.
//   Does not own:  taking the store over, refusing a start, stopping (environment.ts).
//
// LMDB-OWNERSHIP-1. While lock.mdb is the file that the owner opened, lmdb's list of processes shows by kernel locks whether the
//     owner is alive. If lock.mdb was replaced, that list is empty: the owner's process is then looked up by its id and by the
//     text that tells it from other processes with this id (`MarkOf`).
// LMDB-OWNERSHIP-2. A copy of the folder has no owner: the owner's row names the data file in which it was written, and the
//     copy is another file.

import { statSync } from "node:fs";
import { join } from "node:path";
import type { Put } from "./transaction.ts";
import { processesOf, type Tables } from "./tables.ts";
import { storeDamaged } from "./trouble.ts";

/** The folder's two files, each as `device:inode`. */
export interface Files {
  readonly data: string;
  readonly lock: string;
}

/** @returns a text that tells the process from earlier and later ones with its id; undefined if no process has the id. */
export type MarkOf = (pid: number) => string | undefined;

interface Owner extends Partial<Files> {
  readonly pid: number;
  readonly mark?: string | undefined;
}

/** @returns the files; undefined if one is missing. Opens neither file, because closing lock.mdb would release its lock. */
export function filesIn(dir: string): Files | undefined {
  const data = knownBy(join(dir, "data.mdb"));
  const lock = knownBy(join(dir, "lock.mdb"));
  return data === undefined || lock === undefined ? undefined : { data, lock };
}

function knownBy(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return undefined; // The file is gone, was moved, or cannot be reached, so the path no longer leads to the opened file.
  }
}

export function ownerRow(files: Files, markOf: MarkOf): Put {
  const owner: Owner = { pid: process.pid, mark: markOf(process.pid), ...files };
  return { table: "meta", key: "owner", text: JSON.stringify(owner) };
}

/** @returns whether another live process has the store. @throws FatalError STORE_DAMAGED */
export function isHeld(dir: string, tables: Tables, files: Files, markOf: MarkOf): boolean {
  const owner = ownerIn(tables, dir);
  if (!owner) return false;
  const { pid, mark, data, lock } = owner;
  const isSameNumber = pid === process.pid;
  if (isSameNumber && (mark === undefined || mark === markOf(pid))) return false;
  if (!isSameNumber && processesOf(tables).includes(pid)) return true;
  const isUnlocked = data === files.data && lock !== files.lock;
  return isUnlocked && mark !== undefined && markOf(pid) === mark;
}

function ownerIn({ meta }: Tables, dir: string): Owner | undefined {
  const text = meta.get("owner");
  if (text === undefined) return undefined;
  try {
    // Earlier versions wrote only the id of the process, which is JSON as well.
    const owner = JSON.parse(text) as Owner | number;
    return typeof owner === "number" ? { pid: owner } : owner;
  } catch {
    throw storeDamaged(join(dir, "data.mdb"), "its owner's row cannot be read");
  }
}
