// Trouble
// The errors of the store's files and their disk, with messages for the operator.
//
//   Owns:          the meaning of each system error; the message of each.
//   Does not own:  finding errors (tables.ts, data-file.ts, environment.ts), errors that every store has (runtime/errors).
//
// LMDB-TROUBLE-1. A start waits while the disk is full or read-only. If a store's file is missing, damaged or older than
//     expected, the start fails: it never creates a new store in its place.

import { constants } from "node:os";
import { FatalError, FROM_A_COPY, RetryableError, WITHOUT_A_COPY } from "../../runtime/errors/errors.ts";
import { systemName } from "../../runtime/errors/trouble.ts";
import { pasted } from "../../runtime/text/quoted.ts";

const { errno } = constants;
const PROBE_AFTER_MS = 1000;
/** The codes of a full disk: lmdb gives a number, Node a name. */
const FULL: readonly unknown[] = ["ENOSPC", "EDQUOT", errno.ENOSPC, errno.EDQUOT];
const READ_ONLY: readonly unknown[] = ["EROFS", "EACCES", "EPERM", errno.EROFS, errno.EACCES, errno.EPERM];

export interface Known {
  readonly epoch: number;
  readonly giveUp?: string;
}

function codeOf(error: unknown): unknown {
  if (!(error instanceof Error && "code" in error)) return undefined;
  return typeof error.code === "string" ? systemName(error.code) : error.code;
}

/** @returns the error to throw if the system's error may pass by itself; undefined if it will not. */
export function troubleOf(dir: string, error: unknown): RetryableError | undefined {
  const code = codeOf(error);
  if (FULL.includes(code)) return storeFull(dir, error);
  return READ_ONLY.includes(code) ? storeReadOnly(dir, error) : undefined;
}

export function storeFull(dir: string, cause?: unknown): RetryableError {
  return new RetryableError(
    "STORE_FULL",
    `The disk under ${dir} is full.`,
    "Make room on the disk; deleting rows needs room too. The engine tries again by itself.",
    PROBE_AFTER_MS,
    { cause },
  );
}

function storeReadOnly(dir: string, cause: unknown): RetryableError {
  const why =
    cause instanceof Error && "syscall" in cause
      ? cause.message
      : `The operating system reports ${nameOf(cause)}.`;
  return new RetryableError(
    "STORE_READ_ONLY",
    `The store in ${dir} cannot be written: the disk is read-only, or this user may not write there. ${why}`,
    `Make the store's folder writable (mount -o remount,rw; chmod -R u+rwX ${pasted(dir)}). The engine tries again by itself.`,
    PROBE_AFTER_MS,
    { cause },
  );
}

function nameOf(cause: unknown): string {
  const code = codeOf(cause);
  const [name] = Object.entries(errno).find(([, number]) => number === code) ?? [String(code)];
  return name;
}

export const storeUnopened = (dir: string, cause: unknown): FatalError =>
  new FatalError(
    "STORE_UNOPENED",
    `The folder ${dir} cannot be opened as a store${cause instanceof Error ? `: ${cause.message}` : ""}.`,
    `Check that it is a folder on a local disk that this user may write. Else: ${FROM_A_COPY}`,
    { cause },
  );

export const storeLost = (path: string, known: Known): FatalError =>
  new FatalError(
    "STORE_LOST",
    `The store was used before, and its file ${path} is gone or empty.`,
    `Nothing was begun anew. ${FROM_A_COPY} ${WITHOUT_A_COPY}${without("begin anew", known)}`,
  );

export const storeDamaged = (path: string, trouble: string): FatalError =>
  new FatalError(
    "STORE_DAMAGED",
    `The store's file ${path} is damaged: ${trouble}.`,
    `Nothing was changed. ${FROM_A_COPY} ${WITHOUT_A_COPY} Have the disk checked, unless this is a copy that was made while its engine was writing.`,
  );

export const storeOlder = (dir: string, found: number, known: Known): FatalError =>
  new FatalError(
    "STORE_OLDER",
    `The store in ${dir} is older than its data folder: the store has epoch ${found}, and the folder has had epoch ${known.epoch}.`,
    `Put the newest copy of the whole data folder in its place: what was acknowledged since this one was made is not in it.${without("go on with this one", known)}`,
  );

const without = (what: string, { giveUp }: Known): string =>
  giveUp === undefined ? "" : ` To ${what} all the same: ${giveUp}`;

export const storeReplaced = (dir: string): FatalError =>
  new FatalError(
    "STORE_REPLACED",
    `The files of the store in ${dir} were deleted, moved or replaced while the engine ran.`,
    "The engine stops, because another engine may already use them; `npx signalbox up` goes on with the files that are there.",
  );
