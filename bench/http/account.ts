// Account
// What processes cost while something goes on: processor time of all their threads, of the busiest main thread, bytes
// written to disk.
//
//   Owns:          reading /proc; finding the processes that a process started.
//   Does not own:  which processes (rows, peers), what it is divided by.
//
// The client is never among them: its cost is not the contender's. A thread that ended takes its time with it; the pools
// that are measured here keep theirs.

import { existsSync, readdirSync, readFileSync } from "node:fs";

export interface Account {
  /** Of all threads, µs. */
  readonly cpuUs: number;
  /** Of the main thread that did most, µs. */
  readonly mainUs: number;
  /** What the system wrote to its disks for them, bytes. */
  readonly written: number;
}

/** Whether the system tells. */
const hasAccounts = existsSync("/proc/self/schedstat") && existsSync("/proc/self/io");

/** How long a thread was at work: the first of the scheduler's figures, which are nanoseconds. */
const workedUs = (file: string): number => parseInt(readFileSync(file, "latin1"), 10) / 1_000;

function accountOf(pid: number): Account {
  const threads = `/proc/${pid}/task`;
  const cpuUs = readdirSync(threads).reduce((sum, id) => sum + workedUs(`${threads}/${id}/schedstat`), 0);
  const written = /^write_bytes: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, "latin1"))?.[1];
  return { cpuUs, mainUs: workedUs(`${threads}/${pid}/schedstat`), written: Number(written) };
}

/** @returns the process and all that it started, and these started. */
export function treeOf(pid: number): readonly number[] {
  const started = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, "latin1").split(" ").filter(Boolean).map(Number),
  );
  return [pid, ...started.flatMap(treeOf)];
}

const NOTHING: Account = { cpuUs: 0, mainUs: 0, written: 0 };

/**
 * Runs `work`, and says what the processes cost meanwhile; NaN where the system does not tell.
 * @param pids of the processes; what they started counts, too, unless `alone`.
 */
export async function accounted<T>(
  pids: readonly number[],
  work: () => Promise<T>,
  { alone = false } = {},
): Promise<{ readonly result: T; readonly cost: Account }> {
  if (!hasAccounts) return { result: await work(), cost: { cpuUs: NaN, mainUs: NaN, written: NaN } };
  const all = alone ? pids : pids.flatMap(treeOf);
  const before = new Map(all.map((pid) => [pid, accountOf(pid)]));
  const result = await work();
  const spent = all.map((pid): Account => {
    const [from, to] = [before.get(pid) ?? NOTHING, accountOf(pid)];
    return {
      cpuUs: to.cpuUs - from.cpuUs,
      mainUs: to.mainUs - from.mainUs,
      written: to.written - from.written,
    };
  });
  const sum = (of: "cpuUs" | "written"): number => spent.reduce((total, each) => total + each[of], 0);
  const mainUs = Math.max(...spent.map((each) => each.mainUs));
  return { result, cost: { cpuUs: sum("cpuUs"), mainUs, written: sum("written") } };
}
