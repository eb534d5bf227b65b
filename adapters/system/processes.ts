// System processes
// Reads what the system shows of a process by its id: whether it is alive, what it runs, and whether it is still the same one.
//
//   Owns:          asking the system.
//   Does not own:  ending any process.
//
// A process id alone proves nothing, because the system reuses ids.

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { bootId } from "./machine.ts";

const PROC = existsSync("/proc/self/stat");
const START_FIELD = 19;
/** The unit of the times that the system shows, on every system that Node runs on. */
const TICKS_PER_S = 100;

/** @returns a mark that no other process with this id has had or will have; undefined if no process has the id. */
export function markOf(pid: number): string | undefined {
  if (!PROC) return asked(pid, "lstart=");
  const stat = fileOf(pid, "stat");
  if (stat === undefined) return undefined;
  // The program's name is in brackets before the fields, and may contain any characters.
  const fields = stat.slice(stat.lastIndexOf(") ") + 2).split(" ");
  const [state] = fields;
  if (state === "Z" || state === "X") return undefined;
  return `${bootId()} ${fields[START_FIELD] ?? ""}`;
}

/** @returns the process's command line; undefined if it cannot be read. */
export function commandOf(pid: number): string | undefined {
  if (!PROC) return asked(pid, "command=");
  return fileOf(pid, "cmdline")?.replaceAll("\0", " ").trim() || undefined;
}

/** @returns when it was started, ms; undefined if the system does not show that. */
export function startedAt(pid: number): number | undefined {
  const ticks = Number(markOf(pid)?.split(" ")[1]);
  const bootS = Number(/^btime (\d+)$/m.exec(PROC ? (read("/proc/stat") ?? "") : "")?.[1]);
  const ms = bootS * 1000 + (ticks * 1000) / TICKS_PER_S;
  return PROC && Number.isFinite(ms) ? ms : undefined;
}

/**
 * @param mark the mark, as `markOf` returned it. @returns whether that process still runs; only by its id, if marks are
 *   expensive.
 */
export function isSame(pid: number, mark: string): boolean {
  if (PROC) return markOf(pid) === mark;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

const fileOf = (pid: number, name: string): string | undefined => read(`/proc/${pid}/${name}`);

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined; // The process has ended, or belongs to another user.
  }
}

function asked(pid: number, column: string): string | undefined {
  const { stdout } = spawnSync("ps", ["-ww", "-o", column, "-p", String(pid)], { encoding: "utf8" });
  return stdout.trim() || undefined;
}
