// System processes
// What can be known of a process by its id: whether it is alive, what it runs, and whether it is still the same one.
//
//   Owns:          asking the system.
//   Does not own:  ending any.
//
// An id alone proves nothing: the system reuses it.

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

const PROC = existsSync("/proc/self/stat");
const START_FIELD = 19;

/** @returns what no other process with this id has had or will have; undefined when none runs under it. */
export function markOf(pid: number): string | undefined {
  if (!PROC) return asked(pid, "lstart=");
  const stat = fileOf(pid, "stat");
  if (stat === undefined) return undefined;
  // The name before the fields stands in brackets and may hold any characters.
  const fields = stat.slice(stat.lastIndexOf(") ") + 2).split(" ");
  const [state] = fields;
  if (state === "Z" || state === "X") return undefined;
  return `${bootId()} ${fields[START_FIELD] ?? ""}`;
}

/** @returns the process's command line; undefined when there is none to see. */
export function commandOf(pid: number): string | undefined {
  if (!PROC) return asked(pid, "command=");
  return fileOf(pid, "cmdline")?.replaceAll("\0", " ").trim() || undefined;
}

function fileOf(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return undefined; // It has ended, or is another user's.
  }
}

function bootId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return "";
  }
}

function asked(pid: number, column: string): string | undefined {
  const { stdout } = spawnSync("ps", ["-ww", "-o", column, "-p", String(pid)], { encoding: "utf8" });
  return stdout.trim() || undefined;
}
