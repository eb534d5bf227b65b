// Ownership
// Who has the store, and whether its files are still the ones that were opened.
//
//   Owns:          the owner's row, what a file is known by.
//   Does not own:  taking over, refusing, stopping (environment.ts).
//
// LMDB-OWNERSHIP-1. While lock.mdb is the file the owner had, lmdb's list says whether that lives: kernel locks stand
//     behind it. Where lock.mdb was deleted or replaced the list is new and empty; then the owner's process says it, by
//     its number and the mark that no other process of that number has.
// LMDB-OWNERSHIP-2. A copy of the folder has no owner: the row names the very file it was written to.

import { statSync } from "node:fs";
import { join } from "node:path";
import type { Put } from "./transaction.ts";
import { processesOf, type Tables } from "./tables.ts";

/** The two files of the folder, each by its device and number. */
export interface Files {
  readonly data: string;
  readonly lock: string;
}

/** @returns what no other process with this number has had or will have; undefined when none runs under it. */
export type MarkOf = (pid: number) => string | undefined;

interface Owner extends Partial<Files> {
  readonly pid: number;
  readonly mark?: string | undefined;
}

/** @returns the files that stand there now; undefined where one is gone. Opens neither: closing lock.mdb would unlock it. */
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
    return undefined; // Gone, moved, or out of reach: not the file that was opened.
  }
}

/** The row by which others find out about this process. */
export function ownerRow(files: Files, markOf: MarkOf): Put {
  const owner: Owner = { pid: process.pid, mark: markOf(process.pid), ...files };
  return { table: "meta", key: "owner", text: JSON.stringify(owner) };
}

/** True while another live process has the store. */
export function isHeld(tables: Tables, files: Files, markOf: MarkOf): boolean {
  const owner = ownerIn(tables);
  if (!owner) return false;
  const { pid, mark, data, lock } = owner;
  const isSameNumber = pid === process.pid;
  if (isSameNumber && (mark === undefined || mark === markOf(pid))) return false;
  if (!isSameNumber && processesOf(tables).includes(pid)) return true;
  const isUnlocked = data === files.data && lock !== files.lock;
  return isUnlocked && mark !== undefined && markOf(pid) === mark;
}

function ownerIn({ meta }: Tables): Owner | undefined {
  const text = meta.get("owner");
  // Earlier versions wrote the number alone, which is JSON as well.
  const owner = text === undefined ? undefined : (JSON.parse(text) as Owner | number);
  return typeof owner === "number" ? { pid: owner } : owner;
}
