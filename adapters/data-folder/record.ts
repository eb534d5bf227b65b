// Record
// Records what the folder contains, so that a start does not silently replace a lost part with a new one.
//
//   Owns:          the file with the record, noticing a lost part, and the advice about the lost part; refusing a folder without
//                  a store.
//   Does not own:  the parts of the folder, the epoch (the store's own).
//
// RECORD-1. The record's file is written once everything that it names is on disk, and before anything is acknowledged. If a part
//     that the record names is missing, the part counts as lost, and no start creates it again.
// RECORD-2. A folder without a record is not checked: the folder is new, an earlier version made it, or a user has accepted the
//     loss.
// RECORD-3. The record contains a hash of the key: a folder with a different key counts as having lost its key.

import { mkdir, open, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { unlessMissing } from "../../runtime/errors/system-codes.ts";
import { jsonIn } from "../../machines/json.ts";
import { defined } from "../../machines/defined.ts";
import { RefusedError } from "../../runtime/errors/errors.ts";
import { pasted } from "../../runtime/text/quoted.ts";
import { checkRestored } from "./half-restored.ts";
import { keyMark } from "./key.ts";
import { readOwn, writeOwn } from "./own-file.ts";
import type { DataFolder } from "./place.ts";
import { inWords } from "./trouble.ts";

const PARTS = ["store", "blobs", "journal", "key"] as const;
type Part = (typeof PARTS)[number];

const recordText = z.looseObject({
  /** The store's epoch when this record was written: how often the store had been opened until then. */
  epoch: z.int().nonnegative(),
  holds: z.array(z.string()),
  /** The content of the file `journal`. */
  journal: z.string().optional(),
  key: z.string().optional(),
});
type Noted = z.infer<typeof recordText>;

export interface Held {
  readonly epoch: number;
  /** The command with which a user goes on without a lost part. */
  readonly giveUp: string;
  /** True if the record says which seal key the folder was used with; the folder still has this key. */
  readonly isKeyKnown: boolean;
}

/**
 * @returns what the folder's record says; undefined if there is no record. @throws RefusedError HALF_RESTORED, BAD_RECORD;
 * FOLDER_LOST if a part is missing.
 */
export async function checkHeld(folder: DataFolder): Promise<Held | undefined> {
  await checkRestored(folder);
  const record = await readRecord(folder);
  if (!record) return undefined;
  for (const part of PARTS)
    if (record.holds.includes(part) && !(await isThere(folder, part))) throw lost(folder, part, record);
  const isKeyKnown = record.key !== undefined;
  if (isKeyKnown && record.key !== (await keyMark(folder))) throw anotherKey(folder);
  return { epoch: record.epoch, giveUp: giveUp(folder), isKeyKnown };
}

/** @param epoch the epoch of the store on disk. */
export async function writeRecord(folder: DataFolder, epoch: number): Promise<void> {
  await inWords(folder.dir, () => mkdir(folder.blobs, { recursive: true, mode: 0o700 }), true);
  const there = await Promise.all(PARTS.map((part) => isThere(folder, part)));
  const [journal, key] = [(await readOwn(folder.journal))?.trim(), await keyMark(folder)];
  const record: Noted = { epoch, holds: PARTS.filter((_, n) => there[n]), ...defined({ journal, key }) };
  await writeOwn(folder.record, `${JSON.stringify(record)}\n`);
  await inWords(folder.dir, () => sync(folder.dir));
}

async function readRecord(folder: DataFolder): Promise<Noted | undefined> {
  const text = await readOwn(folder.record);
  if (text === undefined) return undefined;
  const { data } = recordText.safeParse(jsonIn(text));
  if (data) return data;
  throw badRecord(folder);
}

/** The file that must exist for a part. For the store it is lmdb's file: without it, lmdb would create an empty store. */
const fileOf = (folder: DataFolder, part: Part): string =>
  part === "store" ? join(folder.store, "data.mdb") : folder[part];

function isThere(folder: DataFolder, part: Part): Promise<boolean> {
  return inWords(folder.dir, async () => {
    const found = await unlessMissing(stat(fileOf(folder, part)));
    return found !== undefined && (found.isDirectory() || found.size > 0);
  });
}

async function sync(dir: string): Promise<void> {
  const folder = await open(dir, "r");
  await folder.sync().finally(() => folder.close());
}

const WHAT: Readonly<Record<Part, string>> = {
  store: "the sessions and their history",
  blobs: "large tool inputs",
  journal: "which journal the store has read from",
  key: "the key that seals, in the journal, messages from HTTP and the engine's own",
};

function lost(folder: DataFolder, part: Part, { journal = "embedded" }: Noted): RefusedError {
  const path = fileOf(folder, part);
  const next: Readonly<Record<Part, string>> = {
    store: `To begin anew without it: ${giveUp(folder)}`,
    blobs: `To go on without them, which shows them as lost: mkdir -m 700 ${pasted(path)}`,
    journal: `Or write its text again: (umask 077; echo ${pasted(journal)} > ${pasted(path)})`,
    key: `To go on with a new key, and have everything refused that the old one sealed: ${giveUp(folder)}`,
  };
  return new RefusedError(
    "FOLDER_LOST",
    `The data folder ${folder.dir} was used before, and ${path} is gone or empty: it held ${WHAT[part]}.`,
    `Put it back from a copy of the data folder that was made while its engine was stopped. ${next[part]}`,
  );
}

const anotherKey = (folder: DataFolder): RefusedError =>
  new RefusedError(
    "FOLDER_LOST",
    `The file ${folder.key} holds another key than before: the old one sealed ${SEALED}.`,
    `Put the old one back from a copy of the data folder. To go on with this one: ${giveUp(folder)}`,
  );

const SEALED = "messages from HTTP, and the engine's own messages, such as decisions";

const giveUp = ({ record }: DataFolder): string => `rm ${pasted(record)}`;

const badRecord = (folder: DataFolder): RefusedError =>
  new RefusedError(
    "BAD_RECORD",
    `The file ${folder.record} does not say what the data folder holds.`,
    `Put it back from a copy of the data folder that was made while its engine was stopped; or, if nothing of the folder is missing, have it written anew: ${giveUp(folder)}`,
  );

/** @param command the command that needs a store, as a user types it. */
export const noStore = (dir: string, command: string): RefusedError =>
  new RefusedError(
    "NO_STORE",
    `There is no store in ${dir}.`,
    `Name the engine's data folder: npx signalbox ${command} --data DIR`,
  );
