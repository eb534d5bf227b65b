// Trouble
// Turns errors of the operating system about the folder and its files into messages: what happened, to which path, what to do
// next.
//
//   Owns:          which errors may pass, which will not; the message of each.
//   Does not own:  errors in the files' content.
//
// DATA-FOLDER-TROUBLE-1. Functions of this folder throw no error of the operating system unchanged: each message names the path
//     and what to do.
// DATA-FOLDER-TROUBLE-2. A full or read-only disk may pass; everything else is refused.

import { RefusedError, RetryableError } from "../../runtime/errors/errors.ts";
import { isSystemError, type SystemError, systemName } from "../../runtime/errors/trouble.ts";

const PROBE_MS = 1_000;

/**
 * @param dir the folder in use. @param writes whether the folder exists and `step` writes in it: the permission to write may come
 * back. @throws what `step` throws; a system's error with a message.
 */
export async function inWords<T>(dir: string, step: () => Promise<T>, writes = false): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw isSystemError(error) ? told(dir, error, writes) : error;
  }
}

function told(dir: string, error: SystemError, writes: boolean): Error {
  const { path = dir } = error;
  const code = systemName(error.code);
  const wait = (name: string, why: string, next: string): RetryableError =>
    new RetryableError(name, why, `${next} The engine tries again by itself.`, PROBE_MS, { cause: error });
  if (code === "ENOSPC" || code === "EDQUOT")
    return wait("FOLDER_FULL", `The disk under ${dir} is full (${code}).`, "Make room.");
  if (code === "EROFS")
    return wait(
      "FOLDER_READ_ONLY",
      `The folder ${dir} cannot be written: its disk is read-only (${code}).`,
      "Make the disk writable: mount -o remount,rw.",
    );
  if (writes && DENIED.has(code))
    return wait(
      "FOLDER_READ_ONLY",
      `The folder ${dir} cannot be written by this user (${code}).`,
      `Give the user that right: chmod u+rwx '${dir}'.`,
    );
  const why = WHY[code] ?? "the system refuses";
  return new RefusedError(
    "FOLDER_UNUSABLE",
    `The folder ${dir} cannot be used: ${why} at ${path} (${code}).`,
    NEXT[code] ?? "Choose another one with --data, or SIGNALBOX_DATA.",
  );
}

const DENIED: ReadonlySet<string> = new Set(["EACCES", "EPERM"]);

const WHY: Readonly<Record<string, string>> = {
  EACCES: "this user may not read or write",
  EPERM: "this user may not do that",
  EEXIST: "something else stands",
  EISDIR: "a folder stands where a file should be",
  ELOOP: "a symbolic link stands",
  EMFILE: "too many files are open",
  ENAMETOOLONG: "the name is too long",
  ENOENT: "nothing can be made",
  ENOTDIR: "a file stands where a folder should be",
};
const NEXT: Readonly<Record<string, string>> = {
  EACCES: "Run the engine as the user that the folder belongs to, or choose another folder with --data.",
  EPERM: "Run the engine as the user that the folder belongs to, or choose another folder with --data.",
  EMFILE: "Allow more open files: ulimit -n 4096.",
};
