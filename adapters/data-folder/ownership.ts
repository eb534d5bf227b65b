// Ownership
// Checks who owns a folder and its files, and who else may write to them.
//
//   Owns:          which folders are refused, which modes are corrected, and the command by which the user corrects other modes.
//   Does not own:  reading and writing the files (own-file.ts), which files there are (place.ts).
//
// DATA-FOLDER-OWNERSHIP-1. The folder and its content must belong to the user who runs this process. Root may not use another
//     user's folder either, because that user could not read the files that root would write there.
// DATA-FOLDER-OWNERSHIP-2. Nobody but this user may have the right to write to the folder, its content, or a folder above it. A
//     sticky folder above it, such as /tmp, is allowed: nobody can move another user's files there.
// DATA-FOLDER-OWNERSHIP-3. If others can enter the folder, its mode is corrected only if they have put no file there: all its
//     files are this user's, and are parts of a data folder. A folder with other files is refused and keeps its mode. Every
//     correction is reported.
// DATA-FOLDER-OWNERSHIP-4. A folder that only this user can enter (`checkPrivate`) contains only files of this user, for example
//     the socket.

import type { Stats } from "node:fs";
import { chmod, lstat, readdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { RefusedError } from "../../runtime/errors/errors.ts";
import { tellFolderClosed } from "./closed.ts";
import { unlessMissing } from "../../runtime/errors/system-codes.ts";
import { pasted } from "../../runtime/text/quoted.ts";

const OTHERS_WRITE = 0o022;
const STICKY = 0o1000;
/** The user id that the kernel shows for a file whose owner this container does not know. */
const UNKNOWN_UID = 65_534;

/** @returns this process's user and group id; undefined on a system without such ids. */
const self = (): { readonly uid: number; readonly gid: number } | undefined => {
  const [uid, gid] = [process.getuid?.(), process.getgid?.()];
  return uid === undefined || gid === undefined ? undefined : { uid, gid };
};

/** @throws RefusedError NOT_YOURS if the file belongs to another user */
export function checkOwner(path: string, { uid }: Stats): void {
  const mine = self();
  if (!mine || uid === mine.uid) return;
  const me = mine.uid === 0 ? "root" : `user ${mine.uid}`;
  throw new RefusedError(
    "NOT_YOURS",
    `${path} belongs to ${uid === 0 ? "root" : `user ${uid}`}, and this program runs as ${me}.`,
    `Run it as that user (sudo -u '#${uid}' …), or choose another folder with --data. To take it over: chown -R ${mine.uid} ${pasted(path)}`,
  );
}

export const isOpenToOthers = ({ mode }: Stats): boolean =>
  self() !== undefined && (mode & OTHERS_WRITE) !== 0;

/** True if the mode gives other users any permission. */
export const isOpenAtAll = ({ mode }: Stats): boolean => self() !== undefined && (mode & 0o077) !== 0;

/** @param parts the names that a data folder may contain. @throws RefusedError NOT_YOURS, OPEN_TO_OTHERS, NOT_A_FOLDER */
export async function checkFolder(dir: string, parts: ReadonlySet<string>): Promise<void> {
  const found = await stat(dir);
  if (!found.isDirectory()) throw notAFolder(dir);
  checkOwner(dir, found);
  const real = await realpath(dir);
  for (const above of [...foldersAbove(dir), ...foldersAbove(real)]) await checkAbove(above);
  const inside = await entriesOf(real);
  if (isOpenAtAll(found)) {
    const isSafe =
      (found.mode & STICKY) === 0 &&
      inside.every(
        ({ path, found }) => isPart(basename(path), parts) && !found.isSymbolicLink() && isMine(found),
      );
    if (!isSafe) throw openToOthers(dir, `chmod 700 ${pasted(dir)}`);
    await chmod(real, 0o700);
    tellFolderClosed(dir, found.mode);
  }
  for (const { path, found } of inside) {
    if (!parts.has(basename(path))) continue;
    checkOwner(path, found);
    if (found.isSymbolicLink()) throw linked(path);
    if (!found.isDirectory() || !isOpenToOthers(found)) continue;
    await chmod(path, 0o700);
    tellFolderClosed(path, found.mode);
  }
}

/**
 * Checks that nobody but this user can enter or replace a folder (DATA-FOLDER-OWNERSHIP-4).
 * @throws RefusedError NOT_YOURS, OPEN_TO_OTHERS, NOT_A_FOLDER; the system's error if the folder is missing.
 */
export async function checkPrivate(dir: string): Promise<void> {
  const found = await stat(dir);
  if (!found.isDirectory()) throw notAFolder(dir);
  checkOwner(dir, found);
  if (isOpenAtAll(found)) throw openToOthers(dir, `chmod 700 ${pasted(dir)}`);
  const above = new Set([...foldersAbove(dir), ...foldersAbove(await realpath(dir))]);
  for (const each of above) await checkAbove(each);
}

const isPart = (name: string, parts: ReadonlySet<string>): boolean =>
  [...parts].some((part) => name === part || name.startsWith(`${part}.`));

const isMine = ({ uid }: Stats): boolean => uid === (self()?.uid ?? uid);

async function entriesOf(dir: string): Promise<readonly { readonly path: string; readonly found: Stats }[]> {
  const entries = [];
  for (const name of await readdir(dir)) {
    const path = join(dir, name);
    const found = await unlessMissing(lstat(path)); // A listed file may have been renamed or removed since.
    if (found) entries.push({ path, found });
  }
  return entries;
}

function foldersAbove(dir: string): readonly string[] {
  const above = dirname(dir);
  return above === dir ? [] : [above, ...foldersAbove(above)];
}

/**
 * Checks one of the folders above the data folder (DATA-FOLDER-OWNERSHIP-2). A group whose id equals the user's id counts as the
 * user, because such a group usually has no other member.
 */
async function checkAbove(dir: string): Promise<void> {
  const mine = self();
  if (!mine) return;
  const { uid, gid, mode } = await stat(dir);
  const isTrusted = uid === mine.uid || uid === 0 || uid === UNKNOWN_UID;
  const isOpen =
    (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && !(gid === mine.gid && gid === mine.uid) && gid !== 0);
  if (!isTrusted) throw openToOthers(dir, `With --data, choose a folder inside one that belongs to you.`);
  if (isOpen && (mode & STICKY) === 0) throw openToOthers(dir, `chmod go-w ${pasted(dir)}`);
}

const notAFolder = (path: string): RefusedError =>
  new RefusedError(
    "NOT_A_FOLDER",
    `${path} is not a folder.`,
    "Choose another folder with --data, or SIGNALBOX_DATA.",
  );

const openToOthers = (dir: string, command: string): RefusedError =>
  new RefusedError(
    "OPEN_TO_OTHERS",
    `Other users have access to ${dir}: they may have put files there, or read yours.`,
    command.startsWith("chmod") ? `If nobody has, close it: ${command}` : command,
  );

export const linked = (path: string): RefusedError =>
  new RefusedError(
    "LINKED",
    `${path} is a link, and may lead to somebody else's file, so Signalbox neither read nor changed that file.`,
    `Put the file or folder itself there, or take the link away: rm ${pasted(path)}`,
  );
