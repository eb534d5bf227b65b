// System machine
// Identifies this machine, its boot, and its user.
//
//   Owns:          the words for it.
//   Does not own:  what an engine does on another machine.

import { readFileSync } from "node:fs";
import { hostname, userInfo } from "node:os";

/** @returns the same for every process of this machine until its next boot, if the system tells its boots apart. */
export const thisMachine = (): string => `${bootId()} ${hostname()}`;

/** Empty if the system gives none. */
export function bootId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return "";
  }
}

/** The name of the user that this process runs as; the number of a user without a name. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? "unknown");
  }
}
