// Socket
// The socket in the data folder, by which this user's programs reach the engine: the folder shows whose it is.
//
//   Owns:          where it is, putting it there, checking it before anybody connects, taking it away.
//   Does not own:  listening on it (http), who may own the folder (ownership.ts).
//   Decided in:    docs/decisions/0052-the-folder-is-the-proof.md.
//
// SOCKET-1. A socket counts only in a folder that nobody else can enter, if it is this user's and nobody else may use
//     it. Node shows no credentials of the other side, so the folder is the proof.
// SOCKET-2. It is bound under another name and renamed into place: there is no moment in which it is open to others,
//     and a program finds a whole one or none. Whoever puts it there holds the folder's store.
// SOCKET-3. An engine takes away its own only. One that was killed leaves it; the next start puts another in its place.
// SOCKET-4. Where the path is too long, or the file system has no sockets, it lies in a folder that the data folder
//     names. No variable of the environment has a say.

import { randomBytes } from "node:crypto";
import { chmod, lstat, mkdtemp, readdir, rename, rmdir, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { RefusedError } from "../../runtime/errors/errors.ts";
import { checkOwner, checkPrivate, isOpenAtAll } from "./ownership.ts";
import { readOwn, removeOwn, writeOwn } from "./own-file.ts";
import type { DataFolder } from "./place.ts";
import { isMissing, isSystemError } from "../../runtime/errors/trouble.ts";

/** Systems take 104 bytes or more, with a zero at the end. */
const PATH_BYTES_MAX = 100;
const NAME = "engine.sock";
const ELSEWHERE = "/tmp/signalbox-";
const DRAFT = /^engine\.sock\.[0-9a-f]{8}$/;

/** @returns the socket's path; undefined when no engine has put one there. @throws RefusedError for one that does not count. */
export async function findSocket(folder: DataFolder): Promise<string | undefined> {
  try {
    await checkPrivate(folder.dir);
    const path = (await placeNamed(folder)) ?? folder.socket;
    if (path !== folder.socket) await checkPrivate(dirname(path));
    const found = await lstat(path);
    checkOwner(path, found);
    if (!found.isSocket() || isOpenAtAll(found)) throw notASocket(path);
    return path;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * Puts the engine's socket there, in place of another: only once the epoch is this engine's, as nobody else does then.
 * @param listenAt listens on a path.
 * @returns a function that takes it away; undefined where no socket can be.
 */
export async function placeSocket(
  folder: DataFolder,
  listenAt: (path: string) => Promise<void>,
): Promise<(() => Promise<void>) | undefined> {
  await checkPrivate(folder.dir);
  await dropDrafts(folder.dir);
  const here = await bound(folder.socket, listenAt);
  if (here) {
    await removeOwn(folder.socketPlace);
    return here;
  }
  const path = await elsewhere(folder);
  const there = await bound(path, listenAt);
  if (!there) return undefined;
  return async () => {
    await there();
    await rmdir(dirname(path)).catch(unlessSystem);
    await removeOwn(folder.socketPlace);
  };
}

/** @returns undefined if that is not possible. */
async function bound(
  path: string,
  listenAt: (path: string) => Promise<void>,
): Promise<(() => Promise<void>) | undefined> {
  const draft = `${path}.${randomBytes(4).toString("hex")}`;
  if (Buffer.byteLength(draft) > PATH_BYTES_MAX) return undefined;
  try {
    await listenAt(draft);
    await chmod(draft, 0o600);
    const { ino, dev } = await lstat(draft);
    await rename(draft, path);
    return async () => {
      const found = await lstat(path).catch(unlessSystem);
      if (found && found.ino === ino && found.dev === dev) await unlink(path).catch(unlessSystem);
    };
  } catch (error) {
    unlessSystem(error);
    return undefined;
  }
}

/** @returns where it is by the folder's own word; undefined for in the folder itself. */
async function placeNamed(folder: DataFolder): Promise<string | undefined> {
  const dir = (await readOwn(folder.socketPlace))?.trim();
  return dir ? join(dir, NAME) : undefined;
}

/** The place that was named before, if it still counts; else a new one, named before it is used. */
async function elsewhere(folder: DataFolder): Promise<string> {
  const named = await placeNamed(folder);
  const isGood = named !== undefined && (await checkPrivate(dirname(named)).then(...YES_OR_NO));
  if (isGood) {
    await dropDrafts(dirname(named));
    return named;
  }
  const made = await mkdtemp(ELSEWHERE);
  await writeOwn(folder.socketPlace, `${made}\n`);
  return join(made, NAME);
}

const YES_OR_NO = [() => true, () => false] as const;

/** Removes the drafts of engines that were killed. */
async function dropDrafts(dir: string): Promise<void> {
  for (const name of await readdir(dir))
    if (DRAFT.test(name)) await unlink(join(dir, name)).catch(unlessSystem);
}

function unlessSystem(error: unknown): undefined {
  if (isSystemError(error)) return undefined;
  throw error;
}

const notASocket = (path: string): RefusedError =>
  new RefusedError(
    "NOT_A_SOCKET",
    `${path} is no socket of this user's alone.`,
    `Stop the engine, take it away (rm '${path}'), and start the engine again.`,
  );
