// Trouble
// Turns the operating system's errors about the data folder into messages: what happened, to which path, what to do next.
//
//   Owns:          which errors may go away by themselves, and which not; the message of each.
//   Does not own:  errors in the files' content.
//
// DATA-FOLDER-TROUBLE-1. Functions of this folder throw no system error unchanged: each message names the path and what to do.
// DATA-FOLDER-TROUBLE-2. If the disk is full or the folder cannot be written, a start may wait until that has passed. After every
//     other error, the folder is refused.

import { RefusedError, RetryableError } from "../../runtime/errors/errors.ts";
import { isSystemError, type SystemError, systemName } from "../../runtime/errors/trouble.ts";
import { pasted } from "../../runtime/text/quoted.ts";

const PROBE_MS = 1_000;

/**
 * @param writes true if `step` writes into an existing folder: a start then also waits for a permission that is missing, and
 * does not fail.
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
      `Let the user write there: chmod u+rwx ${pasted(dir)}.`,
    );
  const why = WHY[code] ?? "the system refuses";
  return new RefusedError(
    "FOLDER_UNUSABLE",
    `The folder ${dir} cannot be used: ${why} at ${path} (${code}).`,
    NEXT[code] ?? "Choose another folder with --data, or SIGNALBOX_DATA.",
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
