// System failure
// Explains an error of the operating system: which path it is about, why it happened, what to do next.
//
//   Owns:          the messages for errors of the operating system that no adapter has translated.
//   Does not own:  errors about the data folder, settings and state files: the adapters for them say what to do.
//
// SYSTEM-FAILURE-1. A command never prints an error in the operating system's own words ("EACCES: permission denied, open …").

import { systemName } from "../../../runtime/errors/trouble.ts";
import type { Reason } from "./failure.ts";

interface Words {
  readonly why: string;
  readonly next: string;
}

const CHOOSE = "Name another path.";
const NOT_ALLOWED: Words = {
  why: "this user may not do that",
  next: "Run the command as the user that the path belongs to, or name another path.",
};
const FULL: Words = { why: "the disk is full", next: "Make room on the disk, then run the command again." };
const WORDS: Readonly<Record<string, Words>> = {
  EACCES: NOT_ALLOWED,
  EPERM: NOT_ALLOWED,
  EDQUOT: FULL,
  ENOSPC: FULL,
  EEXIST: {
    why: "something stands there already",
    next: "Move away what is at this path, or name another path.",
  },
  EIO: { why: "the disk failed", next: "Check the disk." },
  EISDIR: { why: "it is a folder, not a file", next: CHOOSE },
  ELOOP: { why: "it is a symbolic link, or leads through too many", next: CHOOSE },
  EMFILE: {
    why: "too many files are open",
    next: "Allow more open files (ulimit -n 4096), then run the command again.",
  },
  ENAMETOOLONG: { why: "the name is too long", next: CHOOSE },
  ENOENT: { why: "nothing is there, and nothing can be made there", next: CHOOSE },
  ENOTDIR: { why: "a file stands where a folder should be", next: CHOOSE },
  EROFS: {
    why: "its disk is read-only",
    next: "Make the disk writable (mount -o remount,rw), or name another path.",
  },
};

/** @returns what happened and what to do next; undefined for an error that names no path. */
export function systemFailure(error: unknown): Reason | undefined {
  if (!(error instanceof Error && "syscall" in error && "code" in error && "path" in error)) return undefined;
  const { code, path } = error;
  if (typeof code !== "string" || typeof path !== "string") return undefined;
  const name = systemName(code);
  const { why, next } = WORDS[name] ?? { why: "the system refuses", next: CHOOSE };
  return { reason: `${path} cannot be used: ${why} (${name}).`, next };
}
