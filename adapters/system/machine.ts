// System machine
// Identifies this machine, its boot, and its user.
//
//   Owns:          the texts that identify the machine, the boot and the user.
//   Does not own:  what an engine does on another machine.

import { readFileSync } from "node:fs";
import { hostname, userInfo } from "node:os";

/**
 * Names this machine. @returns one text for all processes of the machine until its next boot, if the system tells its boots
 * apart.
 */
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
