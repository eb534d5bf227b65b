// Own file
// One file at a time: read where it is this user's own, put in its place so that it is whole or not there.
//
//   Owns:          opening with care, the checks of what was opened, the one way of writing, syncing folders.
//   Does not own:  what the text means, who may write when (claims.ts).
//
// REQUEST-FILES-OWN-FILE-1. What is read is a regular file of this user that nobody else may write, looked at through
//     the descriptor it is read by. A link is not followed; a pipe holds nobody.
// REQUEST-FILES-OWN-FILE-2. A file is written under a name of its own, synced, then renamed; what stood in its place
//     may be kept by a link. Its name is durable once its folder was synced too.
// REQUEST-FILES-OWN-FILE-3. What may wait for the disk waits in the thread pool; what asks an open descriptor is
//     asked at once. (by review: it shows in the cost only)

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

const CAREFULLY =
  constants.O_RDONLY |
  ((constants.O_NOFOLLOW as number | undefined) ?? 0) |
  ((constants.O_NONBLOCK as number | undefined) ?? 0);
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
const OTHERS_WRITE = 0o022n;
/** Half of what one text may hold in this runtime. */
const LARGEST = 256 * 1024 * 1024;

export interface Found {
  readonly text: string;
  /** Differs for any two states of the file. */
  readonly mark: string;
}

/**
 * @returns undefined where there is no file. @throws RefusedError STATE_NOT_A_FILE, STATE_NOT_YOURS, …
 * (REQUEST-FILES-OWN-FILE-1)
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

/** What a file's mark is now, by its name; undefined where there is none. */
export function markAt(path: string): string | undefined {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && markOf(stats);
}

/**
 * Puts a text in its place (REQUEST-FILES-OWN-FILE-2).
 * @param draft a name on the same disk that is nobody else's.
 * @param first what has to be so before the file stands there.
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
    await unlink(draft).catch(() => undefined); // What went wrong before is what is told.
    throw error;
  }
}

/** Keeps what stands at a path under another name, whatever is renamed to the path then. */
export async function keepOwn(path: string, draft: string, kept: string): Promise<void> {
  const isLinked = await unless(
    ["EEXIST"],
    link(path, draft).then(() => true),
  );
  if (!isLinked) {
    // An interrupted write left this draft as another name of the same file: a rename does nothing then, so link anew.
    await unlink(draft);
    await link(path, draft);
  }
  await rename(draft, kept);
}

/** Writes a new file and has it on disk. */
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

/** Makes a folder where there is none, its name durable. @throws RefusedError where it is not this user's alone. */
export async function makeOwnFolder(path: string): Promise<void> {
  await makeDeep(path);
  const folder = await opening(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    checkOwner(path, fstatSync(folder, { bigint: true }));
  } finally {
    closeSync(folder);
  }
}

/** One step at a time: Node's recursive mkdir tries for ever where the system says that a parent is missing (/proc). */
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

/** Makes the names in a folder durable. */
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

/** Whose it is and who may write it belong to it: a file that was given away is looked at again. */
const markOf = ({ dev, ino, size, mtimeNs, uid, mode }: BigIntStats): string =>
  [dev, ino, size, mtimeNs, uid, mode].join(".");
