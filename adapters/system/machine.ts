// System machine
// Identifies this machine, its boot, and its user.
//
//   Owns:          the texts that identify the machine, the boot and the user.
//   Does not own:  what an engine does when it is started on another machine.

import { readFileSync } from "node:fs";
import { hostname, userInfo } from "node:os";

/** A text that all processes of this machine share, and that changes at each boot, unless the system gives no id for a boot. */
export const thisMachine = (): string => `${bootId()} ${hostname()}`;

/** The id of the machine's present boot; empty if the system gives none. */
export function bootId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return "";
  }
}

/** The name of the user as whom this process runs; the user's id if the user has no name. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? "unknown");
  }
}
