// Own file
// Reads a file after checking that the file belongs to this user, and replaces a file as a whole.
//
//   Owns:          opening a file safely, checking an opened file, how every file is written, syncing folders.
//   Does not own:  what the file's text means, deciding which process may write (claims.ts).
//
// REQUEST-FILES-OWN-FILE-1. Only a regular file of this user that nobody else may write is read; the check uses the same
//     descriptor as the reading. A link is not followed, and the program does not wait for a pipe.
// REQUEST-FILES-OWN-FILE-2. A file is written under another name, synced, then renamed. Syncing its folder makes its name
//     durable.
// REQUEST-FILES-OWN-FILE-3. Opening, reading, writing and syncing may wait for the disk, and run in the thread pool; `fstat`,
//     `lstat` and `close` run synchronously. (checked by review: a test would have to measure the cost)

import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  fsync,
  lstatSync,
  open,
  read,
  write,
} from "node:fs";
import { link, mkdir, rename, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { isCode, unless } from "../../runtime/errors/system-codes.ts";
import { notAFile, notYours, openToOthers, tooLarge } from "./trouble.ts";

const opening = promisify(open);
const reading = promisify(read);
const writing = promisify(write);
const syncing = promisify(fsync);

const CAREFULLY = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
const OTHERS_WRITE = 0o022n;
/** The largest file that is read, in bytes: half of the longest text that Node can hold. */
const LARGEST = 256 * 1024 * 1024;

export interface Found {
  readonly text: string;
  /** A text that changes whenever the file changes. */
  readonly mark: string;
}

/**
 * @returns the file's content and mark; undefined if there is no file.
 * @throws RefusedError STATE_NOT_A_FILE, STATE_NOT_YOURS, …
 */
export async function readOwn(path: string): Promise<Found | undefined> {
  const file = await opened(path);
  if (file === undefined) return undefined;
  try {
    const stats = fstatSync(file, { bigint: true });
    check(path, stats);
    return { text: await textIn(file, Number(stats.size)), mark: markOf(stats) };
  } finally {
    closeSync(file);
  }
}

/** The file's mark; undefined if there is no file. */
export function markAt(path: string): string | undefined {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && markOf(stats);
}

/**
 * @param draft a path on the same disk that no other writer uses.
 * @param first runs before the rename.
 * @returns the file's mark.
 */
export async function putOwn(
  path: string,
  draft: string,
  text: string,
  first?: () => Promise<unknown>,
): Promise<string> {
  try {
    const mark = await writeNew(draft, text);
    await first?.();
    await rename(draft, path);
    return mark;
  } catch (error) {
    await unlink(draft).catch(() => undefined); // If removing the draft fails as well, the first error is the one to report.
    throw error;
  }
}

/** Gives the file at a path a second name, under which the file stays even if another file is renamed to the path later. */
export async function keepOwn(path: string, draft: string, kept: string): Promise<void> {
  const isLinked = await unless(
    ["EEXIST"],
    link(path, draft).then(() => true),
  );
  if (!isLinked) {
    // An interrupted write may have left the draft as a second name of an older file. The draft is then removed and linked anew,
    // because a rename between two names of one file does nothing.
    await unlink(draft);
    await link(path, draft);
  }
  await rename(draft, kept);
}

async function writeNew(path: string, text: string): Promise<string> {
  const bytes = Buffer.from(text);
  if (bytes.length > LARGEST) throw tooLarge(path, LARGEST);
  const file = await opening(path, "wx", FILE_MODE);
  try {
    for (let at = 0; at < bytes.length;)
      at += (await writing(file, bytes, at, bytes.length - at, at)).bytesWritten;
    await syncing(file);
    return markOf(fstatSync(file, { bigint: true }));
  } finally {
    closeSync(file);
  }
}

/** Creates a missing folder and makes its name durable. @throws RefusedError if the folder does not belong to this user alone. */
export async function makeOwnFolder(path: string): Promise<void> {
  await makeDeep(path);
  const folder = await opening(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    checkOwner(path, fstatSync(folder, { bigint: true }));
  } finally {
    closeSync(folder);
  }
}

/** Creates missing folders one by one: Node's recursive mkdir retries for ever if the system reports a missing parent (/proc). */
async function makeDeep(path: string): Promise<void> {
  const make = (): Promise<boolean | undefined> =>
    unless(
      ["EEXIST"],
      mkdir(path, { mode: FOLDER_MODE }).then(() => true),
    );
  let isMade: boolean | undefined;
  try {
    isMade = await make();
  } catch (error) {
    if (!isCode(error, "ENOENT") || dirname(path) === path) throw error;
    await makeDeep(dirname(path));
    isMade = await make();
  }
  if (isMade === true) await syncFolder(dirname(path));
}

export async function syncFolder(path: string): Promise<void> {
  const folder = await opening(path, "r");
  await syncing(folder).finally(() => closeSync(folder));
}

async function opened(path: string): Promise<number | undefined> {
  try {
    return await opening(path, CAREFULLY);
  } catch (error) {
    if (isCode(error, "ENOENT")) return undefined;
    if (isCode(error, "ELOOP", "EMLINK", "ENXIO")) throw notAFile(path);
    throw error;
  }
}

async function textIn(file: number, size: number): Promise<string> {
  const bytes = Buffer.allocUnsafe(size);
  let length = 0;
  while (length < size) {
    const { bytesRead } = await reading(file, bytes, length, size - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return bytes.toString("utf8", 0, length);
}

function check(path: string, stats: BigIntStats): void {
  if (!stats.isFile()) throw notAFile(path);
  checkOwner(path, stats);
  if (stats.size > BigInt(LARGEST)) throw tooLarge(path, LARGEST);
}

function checkOwner(path: string, { uid, mode }: BigIntStats): void {
  const mine = process.getuid?.();
  if (mine === undefined) return;
  if (uid !== BigInt(mine)) throw notYours(path, Number(uid), mine);
  if ((mode & OTHERS_WRITE) !== 0n) throw openToOthers(path);
}

/** A file's mark. Owner and mode are part of it, so that a file with another owner or mode is checked again. */
const markOf = ({ dev, ino, size, mtimeNs, uid, mode }: BigIntStats): string =>
  [dev, ino, size, mtimeNs, uid, mode].join(".");
