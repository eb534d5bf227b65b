// Processes
// Looks at the processes of this machine, for tests that kill some of them.
//
//   Owns:          a program's child, whether a process lives or stands still.
//   Does not own:  killing.

import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect } from "vitest";
import { markOf } from "../../../adapters/system/index.ts";
import type { Started } from "./program.ts";

/** A supervisor's engine: its one child beside a private nats-server. */
export function engineOf({ child }: Started): number {
  const parent = String(child.pid);
  if (!existsSync("/proc/self/stat")) {
    return Number(spawnSync("pgrep", ["-P", parent, "node"], { encoding: "utf8" }).stdout.trim());
  }
  const found = readdirSync("/proc").filter((name) => {
    const stat = /^\d+$/.test(name) ? statOf(name) : undefined;
    return stat?.parent === parent && stat.name !== "nats-server";
  });
  expect(found).toHaveLength(1);
  return Number(found[0]);
}

interface ProcessStat {
  readonly name: string;
  readonly state: string | undefined;
  readonly parent: string | undefined;
}

/** The name is in brackets and may contain anything. */
function statOf(pid: string): ProcessStat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const end = text.lastIndexOf(") ");
    const [state, parent] = text.slice(end + 2).split(" ");
    return { name: text.slice(text.indexOf("(") + 1, end), state, parent };
  } catch {
    return undefined; // It ended meanwhile.
  }
}

/** Whether each thread of a process stands still: SIGSTOP reaches a running one a moment later. */
export function isStopped(pid: number): boolean {
  if (!existsSync("/proc/self/stat")) {
    return spawnSync("ps", ["-o", "state=", "-p", String(pid)], { encoding: "utf8" }).stdout.startsWith("T");
  }
  const threads = readdirSync(`/proc/${pid}/task`);
  return threads.every((thread) => statOf(`${pid}/task/${thread}`)?.state === "T");
}

/** A process that has ended but was not waited for does not count as alive. */
export const isAlive = (pid: number): boolean => markOf(pid) !== undefined;
