// Own file
// Reads a small text file of the data folder only if it belongs to this user, and writes one so that it is complete or unchanged.
//
//   Owns:          opening, checking the opened file, drafts.
//   Does not own:  what the file's text means.
//
// DATA-FOLDER-OWN-FILE-1. The file is complete or absent.
// DATA-FOLDER-OWN-FILE-2. A file is read only if it is a regular file of this user, with one name, that nobody else may write.
//     The check and the reading use the same descriptor, so nobody can exchange the file in between. Links are not followed, and
//     nothing is changed through a link.
// DATA-FOLDER-OWN-FILE-3. A draft that a killed process left is removed when its file is written again, a minute later or more:
//     the draft of a running process is younger.

import { randomUUID } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { type FileHandle, link, lstat, open, readdir, rename, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isCode, unless, unlessMissing } from "../../runtime/errors/system-codes.ts";
import { RefusedError } from "../../runtime/errors/errors.ts";
import { tellSecretClosed } from "./closed.ts";
import { checkOwner, isOpenToOthers, linked } from "./ownership.ts";
import { isMissing } from "../../runtime/errors/trouble.ts";
import { inWords } from "./trouble.ts";

/** Opening a pipe at the path would block; systems without these flags have no such pipes. */
const CAREFULLY =
  constants.O_RDONLY |
  ((constants.O_NOFOLLOW as number | undefined) ?? 0) |
  ((constants.O_NONBLOCK as number | undefined) ?? 0);
const MODE = 0o600;
const DRAFT = /^\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const FORGOTTEN_MS = 60_000;

/**
 * @param path the path in the data folder. @param isSecret whether to remove other users' permission to read, and report it
 *   (CLOSED-1).
 * @returns the text; undefined if there is no file. @throws RefusedError NOT_YOURS, OPEN_TO_OTHERS, LINKED, …
 */
export function readOwn(path: string, isSecret = false): Promise<string | undefined> {
  return inWords(dirname(path), async () => {
    const file = await openOwn(path);
    if (!file) return undefined;
    try {
      const { mode } = await checkOwn(path, file);
      if (isSecret && (mode & 0o077) !== 0) {
        await file.chmod(MODE);
        tellSecretClosed(path, mode);
      }
      return await file.readFile("utf8");
    } finally {
      await file.close();
    }
  });
}

export function writeOwn(path: string, text: string): Promise<void> {
  return inWords(dirname(path), () => drafted(path, text, (draft) => rename(draft, path)), true);
}

/** Writes a text unless the file exists. @returns the file's text afterwards. */
export async function makeOwn(path: string, text: string): Promise<string | undefined> {
  const keep = (draft: string): Promise<void> => unless(["EEXIST"], link(draft, path));
  await inWords(dirname(path), () => drafted(path, text, keep), true);
  return readOwn(path, true);
}

/** Removes a file, which need not exist. */
export function removeOwn(path: string): Promise<void> {
  return inWords(dirname(path), async () => {
    await unlessMissing(unlink(path));
  });
}

async function openOwn(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, CAREFULLY);
  } catch (error) {
    if (isMissing(error)) return undefined;
    if (isCode(error, "ELOOP", "EMLINK")) throw linked(path);
    throw error;
  }
}

/** Checks that an opened file is this user's alone (DATA-FOLDER-OWN-FILE-2). */
async function checkOwn(path: string, file: FileHandle): Promise<Stats> {
  let found = await file.stat();
  if (!found.isFile()) throw notAFile(path);
  checkOwner(path, found);
  if (found.nlink > 1) {
    await dropDrafts(path, found);
    found = await file.stat();
  }
  if (found.nlink > 1) throw linked(path);
  if (isOpenToOthers(found)) throw openToOthers(path);
  return found;
}

/** A draft that becomes the file has both names for a moment, or for good if its process was killed. */
async function dropDrafts(path: string, { dev, ino }: Stats): Promise<void> {
  const dir = dirname(path);
  const drafts = (await readdir(dir)).filter((name) => name.startsWith(`${basename(path)}.`));
  for (const draft of drafts.map((name) => join(dir, name))) {
    const found = await unlessMissing(lstat(draft));
    if (found && found.dev === dev && found.ino === ino) await unlessMissing(unlink(draft));
  }
}

/**
 * Removes drafts that killed processes left (DATA-FOLDER-OWN-FILE-3). @param now the present time, by the file system's clock,
 * ms.
 */
async function dropForgotten(path: string, now: number): Promise<void> {
  const [dir, name] = [dirname(path), basename(path)];
  for (const each of await readdir(dir)) {
    if (!each.startsWith(name) || !DRAFT.test(each.slice(name.length))) continue;
    const draft = join(dir, each);
    const found = await unlessMissing(lstat(draft));
    if (found?.isFile() === true && now - found.mtimeMs > FORGOTTEN_MS) await unlessMissing(unlink(draft));
  }
}

async function drafted(path: string, text: string, put: (draft: string) => Promise<void>): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  try {
    const file = await open(draft, "wx", MODE);
    try {
      await file.writeFile(text);
      await file.sync();
      await dropForgotten(path, (await file.stat()).mtimeMs);
    } finally {
      await file.close();
    }
    await put(draft);
  } finally {
    await unlessMissing(unlink(draft));
  }
}

const notAFile = (path: string): RefusedError =>
  new RefusedError("NOT_A_FILE", `${path} is not a regular file.`, `Take it away: rm -r '${path}'`);

const openToOthers = (path: string): RefusedError =>
  new RefusedError(
    "OPEN_TO_OTHERS",
    `Others can write to ${path}: its content may be theirs.`,
    `If the content is yours, close the file to others: chmod 600 '${path}'. Otherwise delete it.`,
  );
