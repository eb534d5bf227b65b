// Trouble
// Turns the system's errors about the folder of requests into messages: what happened, to which path, what to do next.
//
//   Owns:          which errors may pass by themselves, and which stay; the message of each.
//   Does not own:  errors in the files' content (format.ts).
//
// REQUEST-FILES-TROUBLE-1. Functions of this folder throw no error of the operating system unchanged.
// REQUEST-FILES-TROUBLE-2. A full or read-only disk and too many open files give a RetryableError, because the same call may
//     succeed later. A failing disk gives a FatalError, and any other cause, such as a file of another user, a RefusedError.

import { isSystemError, type SystemError, systemName } from "../../runtime/errors/trouble.ts";
import { FatalError, RefusedError, RetryableError } from "../../runtime/errors/errors.ts";
import { pasted } from "../../runtime/text/quoted.ts";

const AGAIN_MS = 1_000;

/**
 * Runs a step, and turns the system's errors into Signalbox's (REQUEST-FILES-TROUBLE-1).
 * @param path the path that `step` works on.
 */
export async function inWords<T>(path: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw isSystemError(error) ? told(path, error) : error;
  }
}

function told(path: string, cause: SystemError): Error {
  const { path: at = path } = cause;
  const code = systemName(cause.code);
  const options = { cause };
  if (code === "ENOSPC" || code === "EDQUOT")
    return new RetryableError(
      "STATE_DISK_FULL",
      `The disk under ${at} is full (${code}); the file there was not changed.`,
      "Make room on the disk, then do the same again.",
      AGAIN_MS,
      options,
    );
  if (code === "EROFS")
    return new RetryableError(
      "STATE_READ_ONLY",
      `The disk under ${at} is read-only (${code}).`,
      "Make the disk writable (mount -o remount,rw), then do the same again.",
      AGAIN_MS,
      options,
    );
  if (code === "EMFILE" || code === "ENFILE")
    return new RetryableError(
      "STATE_TOO_MANY_FILES",
      `${at} cannot be opened: too many files are open (${code}).`,
      "Allow more open files (ulimit -n 4096), or do less at once; then do the same again.",
      AGAIN_MS,
      options,
    );
  if (code === "EIO")
    return new FatalError(
      "STATE_DISK_FAILED",
      `The disk failed at ${at} (EIO): the last write may be lost.`,
      "Check the disk; then start again, and read the request's state before you change it.",
      options,
    );
  const why = WHY[code] ?? "the system refuses";
  // The system's error is left out: RefusedError has no field for a cause, and its message says everything.
  return new RefusedError("STATE_UNUSABLE", `${at} cannot be used: ${why} (${code}).`, NEXT[code] ?? ELSE);
}

const ELSE = "See what is at this path, or choose another folder.";
const WHY: Readonly<Record<string, string>> = {
  EACCES: "this user may not read or write there",
  EPERM: "this user may not do that there",
  EEXIST: "something else stands there",
  EISDIR: "a folder stands where a file should be",
  ELOOP: "a symbolic link stands there",
  ENAMETOOLONG: "the name is too long",
  ENOENT: "the folder is not there",
  ENOTDIR: "a file stands where a folder should be",
};
const NEXT: Readonly<Record<string, string>> = {
  EACCES:
    "Run the tracker as the user that the folder belongs to, or let the tracker's user write there: chmod u+rwx on the folder.",
  EPERM: "Run the tracker as the user that the folder belongs to, or choose another folder.",
  ENOENT: "Start the tracker, which makes its folders.",
};

export const notAFile = (path: string): RefusedError =>
  new RefusedError(
    "STATE_NOT_A_FILE",
    `${path} is not a regular file. It was not changed.`,
    "Remove the file if nobody needs it.",
  );

export const notYours = (path: string, uid: number, mine: number): RefusedError =>
  new RefusedError(
    "STATE_NOT_YOURS",
    `${path} belongs to user ${uid}, and the tracker runs as user ${mine}; the path is left as it is.`,
    "Run the tracker as that user, or choose another folder.",
  );

/** The error for a file that was written, but whose name might not survive a power failure. */
export const unsynced = (folder: string, cause: unknown): unknown =>
  isSystemError(cause)
    ? new FatalError(
        "STATE_UNSYNCED",
        `The change was made, but ${folder} could not be synced (${systemName(cause.code)}): it may be lost in a power failure.`,
        "Check the disk; then read the request's state before you change it.",
        { cause },
      )
    : cause;

export const tooLarge = (path: string, largest: number): RefusedError =>
  new RefusedError(
    "STATE_TOO_LARGE",
    `${path} has more than ${largest} bytes, which is the most for a state file. The file was not changed.`,
    "Store large values elsewhere, and only their place in the request. Remove the file if nobody needs it.",
  );

export const openToOthers = (path: string): RefusedError =>
  new RefusedError(
    "STATE_OPEN_TO_OTHERS",
    `Others can write to ${path}: its content may be theirs.`,
    `If the content is yours, close the file: chmod go-w ${pasted(path)}`,
  );

export const busy = (requestId: string): RetryableError =>
  new RetryableError(
    "STATE_BUSY",
    `Others were writing the request ${requestId} all the time. Nothing was changed.`,
    "Try the same change again.",
    AGAIN_MS,
  );
