// System machine
// Which machine this is, and since which boot.
//
//   Owns:          the words for it.
//   Does not own:  what follows from another one.

import { readFileSync } from "node:fs";
import { hostname } from "node:os";

/** @returns the same for every process of this machine until it is booted again, where the system tells its boots apart. */
export function thisMachine(): string {
  return `${bootId()} ${hostname()}`;
}

/** Empty where the system gives none. */
export function bootId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return "";
  }
}
