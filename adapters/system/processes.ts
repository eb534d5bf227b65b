// System processes
// Reads what the system shows about a process by its id: whether it is alive, what it runs, whether it is still the same process.
//
//   Owns:          asking the system about a process.
//   Does not own:  ending any process.
//
// A process id alone proves nothing, because the system reuses ids.

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { isCode } from "../../runtime/errors/system-codes.ts";
import { bootId } from "./machine.ts";

const PROC = existsSync("/proc/self/stat");
const START_FIELD = 19;
/** How many ticks a second has in the times that Linux shows; the same on every machine that Node runs on. */
const TICKS_PER_S = 100;

/** @returns a text that tells the process from earlier and later ones with its id; undefined if no process has the id. */
export function markOf(pid: number): string | undefined {
  if (!PROC) return asked(pid, "lstart=");
  const stat = fileOf(pid, "stat");
  if (stat === undefined) return undefined;
  // The program's name comes in brackets before the fields and may contain any characters, so the fields begin after the last
  // `)`.
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

/** @returns when the process was started, ms; undefined if the system does not show this. */
export function startedAt(pid: number): number | undefined {
  const ticks = Number(markOf(pid)?.split(" ")[1]);
  const bootS = Number(/^btime (\d+)$/m.exec(PROC ? (read("/proc/stat") ?? "") : "")?.[1]);
  const ms = bootS * 1000 + (ticks * 1000) / TICKS_PER_S;
  return PROC && Number.isFinite(ms) ? ms : undefined;
}

/**
 * @param mark what `markOf` returned earlier.
 * @returns whether that process still runs. Without /proc, where each mark costs a run of `ps`, only the id is compared.
 */
export function isSame(pid: number, mark: string): boolean {
  if (PROC) return markOf(pid) === mark;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isCode(error, "EPERM");
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
