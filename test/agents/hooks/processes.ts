// Processes of a gate
// The shell that an agent started for a hook that waits, and the program behind it.
//
//   Owns:          finding them by the data folder in their command lines, ending them.
//   Does not own:  what they do.

import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

export interface Process {
  readonly pid: number;
  readonly parent: number;
  /** Of the gate: no shell. */
  readonly isProgram: boolean;
}

/** @param data a data folder of this test's own. @returns those that wait, once the program does. */
export async function gateProcesses(data: string): Promise<readonly Process[]> {
  for (;;) {
    const { stdout } = await promisify(execFile)("ps", ["-axo", "pid=,ppid=,args="]);
    const found = stdout.split("\n").flatMap((line) => gateIn(line, data));
    if (found.some(({ isProgram }) => isProgram)) return found;
    await sleep(100);
  }
}

function gateIn(line: string, data: string): readonly Process[] {
  const [, pid, parent, args = ""] = /^\s*(\d+)\s+(\d+) (.*)$/.exec(line) ?? [];
  if (!args.includes(`${data}/hooks/gate`)) return [];
  return [{ pid: Number(pid), parent: Number(parent), isProgram: args.includes("/hooks/gate.cjs") }];
}

/** The process that started the outermost shell: the agent itself, behind whatever started that. */
export function agentOf(gate: readonly Process[]): readonly Process[] {
  const own = new Set(gate.map(({ pid }) => pid));
  const outermost = gate.find(({ parent }) => !own.has(parent));
  return outermost ? [{ pid: outermost.parent, parent: 0, isProgram: false }] : [];
}

/** @throws Error for a process that is not there any more. */
export function signal(processes: readonly Process[], name: NodeJS.Signals): void {
  if (processes.length === 0) throw new Error("there is no such process");
  for (const { pid } of processes) {
    // Another id would mean everybody.
    if (!(pid > 1)) throw new Error(`${pid} is no process of this test`);
    process.kill(pid, name);
  }
}
