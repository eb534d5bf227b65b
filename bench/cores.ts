// Cores
// Keeps processes on some cores of a machine, so that N engines can be compared on N cores.
//
//   Owns:          asking the system for it.
//   Does not own:  which processes (rows).

import { execFileSync, spawnSync } from "node:child_process";

/** Whether the system can keep a process on some cores. */
export const canKeep = spawnSync("taskset", ["--version"]).status === 0;

/** The cores that this process may use, as the system writes them. */
const allowedCores = (): string =>
  /: ([\d,-]+)/.exec(execFileSync("taskset", ["-c", "-p", `${process.pid}`], { encoding: "utf8" }))?.[1] ??
  "";

const ALLOWED = canKeep ? allowedCores() : "";

/** The same, one by one. */
const CORES = ALLOWED.split(",").flatMap((range) => {
  const [from = NaN, to = from] = range.split("-").map(Number);
  return Array.from({ length: to - from + 1 }, (_, n) => from + n);
});

/** @param count of cores; if there are fewer, all. Where the system has no `taskset`, nothing happens. */
export function onCores(count: number, pids: readonly number[]): void {
  if (!canKeep) return;
  const list = CORES.slice(0, count).join(",");
  for (const pid of pids) execFileSync("taskset", ["-a", "-c", "-p", list, `${pid}`]);
}
