// Socket
// The socket in the data folder, over which this user's programs reach the engine. The folder proves whose socket it is.
//
//   Owns:          the socket's path, creating the socket, checking it before a connection, removing it.
//   Does not own:  listening on the socket (http), who may own the folder (ownership.ts).
//   Decided in:    docs/decisions/0052-the-folder-is-the-proof.md.
//
// SOCKET-1. A socket is used only if it is this user's, nobody else may use it, and nobody else can enter its folder. Node does
//     not show which user is at the other end of a socket, so only the folder proves whose socket it is.
// SOCKET-2. The engine binds the socket under another name, sets its mode, and renames it. So the socket is never open to others,
//     and a program finds a complete socket or none. Only the engine that holds the folder's store does this.
// SOCKET-3. An engine removes only its own socket. A killed engine leaves its socket, and the next start replaces it.
// SOCKET-4. If the socket's path in the data folder is too long, or the file system has no sockets, the socket is in another
//     folder, which a file of the data folder names. No environment variable changes the socket's path.

import { randomBytes } from "node:crypto";
import { chmod, lstat, mkdtemp, readdir, rename, rmdir, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { RefusedError } from "../../runtime/errors/errors.ts";
import { checkOwner, checkPrivate, isOpenAtAll } from "./ownership.ts";
import { readOwn, removeOwn, writeOwn } from "./own-file.ts";
import type { DataFolder } from "./place.ts";
import { isMissing, isSystemError } from "../../runtime/errors/trouble.ts";
import { pasted } from "../../runtime/text/quoted.ts";

/** The longest path of a socket, in bytes: each system accepts at least 104 bytes, with the zero at the end of the path. */
const PATH_BYTES_MAX = 100;
const NAME = "engine.sock";
const ELSEWHERE = "/tmp/signalbox-";
const DRAFT = /^engine\.sock\.[0-9a-f]{8}$/;

/** @returns the socket's path; undefined if no engine has made one. @throws RefusedError for a socket that must not be used. */
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

/** Called once this engine owns the store's epoch. @returns a function that removes the socket; undefined if none can be made. */
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

/**
 * Binds the socket at a path (SOCKET-2).
 * @returns a function that removes the socket; undefined if none can be made at this path.
 */
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

/** @returns the socket's path in the recorded folder; undefined if the socket is in the data folder itself. */
async function placeNamed(folder: DataFolder): Promise<string | undefined> {
  const dir = (await readOwn(folder.socketPlace))?.trim();
  return dir ? join(dir, NAME) : undefined;
}

/**
 * The path of a socket outside the data folder: in the recorded folder if that is still private, otherwise in a new folder, which
 * is recorded first.
 */
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
    `${path} is not a socket that only this user can use.`,
    `Stop the engine, remove the file (rm ${pasted(path)}), and start the engine again.`,
  );
