// Own file
// One file at a time: read where it is this user's own, written so that it is whole or not there.
//
//   Owns:          opening with care, the checks of what was opened, syncing files and folders.
//   Does not own:  what the text means, who may write when (claim.ts).
//
// REQUEST-FILES-OWN-FILE-1. What is read is a regular file of this user that nobody else may write, looked at through
//     the descriptor it is read by. A link is not followed; a pipe holds nobody.

import { constants, type BigIntStats } from "node:fs";
import { type FileHandle, lstat, mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { isCode, notAFile, notYours, openToOthers, unless } from "./trouble.ts";

const CAREFULLY =
  constants.O_RDONLY |
  ((constants.O_NOFOLLOW as number | undefined) ?? 0) |
  ((constants.O_NONBLOCK as number | undefined) ?? 0);
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
const OTHERS_WRITE = 0o022n;

export interface Found {
  readonly text: string;
  /** Differs for any two states of the file. */
  readonly mark: string;
}

/** @returns undefined where there is no file. @throws RefusedError STATE_NOT_A_FILE, STATE_NOT_YOURS, … (REQUEST-FILES-OWN-FILE-1) */
export async function readOwn(path: string): Promise<Found | undefined> {
  const file = await opened(path);
  if (!file) return undefined;
  try {
    const stats = await file.stat({ bigint: true });
    check(path, stats);
    return { text: await file.readFile("utf8"), mark: markOf(stats) };
  } finally {
    await file.close();
  }
}

/** What a file's mark is now, by its name; undefined where there is none. */
export async function markAt(path: string): Promise<string | undefined> {
  const stats = await unless(["ENOENT"], lstat(path, { bigint: true }));
  return stats && markOf(stats);
}

/** Writes a new file and has it on disk. */
export async function writeNew(path: string, text: string): Promise<string> {
  const file = await open(path, "wx", FILE_MODE);
  try {
    await file.writeFile(text);
    await file.sync();
    return markOf(await file.stat({ bigint: true }));
  } finally {
    await file.close();
  }
}

/** Makes a folder where there is none, its name durable. @throws RefusedError where it is not this user's alone. */
export async function makeOwnFolder(path: string): Promise<void> {
  const made = await unless(["EEXIST"], mkdir(path, { recursive: true, mode: FOLDER_MODE }));
  if (made !== undefined) await syncFolder(dirname(made));
  const folder = await open(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    checkOwner(path, await folder.stat({ bigint: true }));
  } finally {
    await folder.close();
  }
}

/** Makes the names in a folder durable. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function opened(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, CAREFULLY);
  } catch (error) {
    if (isCode(error, "ENOENT")) return undefined;
    if (isCode(error, "ELOOP", "EMLINK", "ENXIO")) throw notAFile(path);
    throw error;
  }
}

function check(path: string, stats: BigIntStats): void {
  if (!stats.isFile()) throw notAFile(path);
  checkOwner(path, stats);
}

function checkOwner(path: string, { uid, mode }: BigIntStats): void {
  const mine = process.getuid?.();
  if (mine === undefined) return;
  if (uid !== BigInt(mine)) throw notYours(path, Number(uid), mine);
  if ((mode & OTHERS_WRITE) !== 0n) throw openToOthers(path);
}

const markOf = ({ dev, ino, size, mtimeNs }: BigIntStats): string => `${dev}.${ino}.${size}.${mtimeNs}`;
