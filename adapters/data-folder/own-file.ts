// Own file
// Reads a small text file of the data folder, but only if the file belongs to this user; writes such a file as a whole.
//
//   Owns:          opening a file and checking it once it is open; replacing a file by a draft, that is, a new file that is
//                  complete before it gets the name.
//   Does not own:  what a file's text means.
//
// DATA-FOLDER-OWN-FILE-1. A file is always either complete or absent.
// DATA-FOLDER-OWN-FILE-2. A file is read only if it is a regular file of this user with a single hard link, and nobody else may
//     write it. The descriptor that was checked is read. Links are not followed, and nothing is changed through a link.
// DATA-FOLDER-OWN-FILE-3. If a process was killed before it could remove its draft of a file, the draft is removed by the next
//     write of that file that comes at least a minute later.

import { randomUUID } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { type FileHandle, link, lstat, open, readdir, rename, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isCode, unless, unlessMissing } from "../../runtime/errors/system-codes.ts";
import { RefusedError } from "../../runtime/errors/errors.ts";
import { tellSecretClosed } from "./closed.ts";
import { checkOwner, isOpenToOthers, linked } from "./ownership.ts";
import { isMissing } from "../../runtime/errors/trouble.ts";
import { pasted } from "../../runtime/text/quoted.ts";
import { inWords } from "./trouble.ts";

/**
 * Flags with which `open` follows no link, and does not block on a pipe. Where Node lacks a flag (Windows), the flag counts as
 * 0.
 */
const CAREFULLY = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const MODE = 0o600;
const DRAFT = /^\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const FORGOTTEN_MS = 60_000;

/**
 * @param isSecret true if other users may not read the file (CLOSED-1).
 * @throws RefusedError NOT_YOURS, OPEN_TO_OTHERS, LINKED, …
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

/** Writes a text into a new file. If there is a file already, it stays unchanged. @returns the file's text afterwards. */
export async function makeOwn(path: string, text: string): Promise<string | undefined> {
  const keep = (draft: string): Promise<void> => unless(["EEXIST"], link(draft, path));
  await inWords(dirname(path), () => drafted(path, text, keep), true);
  return readOwn(path, true);
}

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

/** Refuses a file that must not be read (DATA-FOLDER-OWN-FILE-2). */
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

/** Removes the draft's name from a file that has both names because a process was killed between `link` and `unlink`. */
async function dropDrafts(path: string, { dev, ino }: Stats): Promise<void> {
  const dir = dirname(path);
  const drafts = (await readdir(dir)).filter((name) => name.startsWith(`${basename(path)}.`));
  for (const draft of drafts.map((name) => join(dir, name))) {
    const found = await unlessMissing(lstat(draft));
    if (found && found.dev === dev && found.ino === ino) await unlessMissing(unlink(draft));
  }
}

/** Removes drafts that killed processes have left (DATA-FOLDER-OWN-FILE-3). @param now by the file system's clock, ms. */
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
  new RefusedError("NOT_A_FILE", `${path} is not a regular file.`, `Take it away: rm -r ${pasted(path)}`);

const openToOthers = (path: string): RefusedError =>
  new RefusedError(
    "OPEN_TO_OTHERS",
    `Others can write to ${path}: its content may be theirs.`,
    `If the content is yours, close the file to others: chmod 600 ${pasted(path)}. Otherwise delete it.`,
  );
