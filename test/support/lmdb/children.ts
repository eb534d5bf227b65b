// Children
// Starts child.ts, or another program, as a separate process, on request under strace or on a small disk of its own.
//
//   Owns:          starting, listening, killing what it started.
//   Does not own:  what the child does.

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

export interface Child {
  /** Everything it has printed so far. */
  readonly lines: readonly string[];
  /** Resolves with the `count`-th line that begins with `start`. @throws if it ends without one. */
  said(start: string, count?: number): Promise<string>;
  send(line: string): void;
  kill(): void;
  /** How it ended: its exit code or the signal. */
  readonly ended: Promise<number | NodeJS.Signals>;
}

const CHILD = new URL("child.ts", import.meta.url).pathname;
/** A child that hangs is killed after this and fails the test by its signal. */
const HANGS_AFTER_MS = 150_000;

/**
 * @param wrap a command and its arguments to run the child under, such as strace.
 * @param program what the child runs.
 */
export function startChild(
  scenario: string,
  dir: string,
  wrap: readonly string[] = [],
  program = CHILD,
): Child {
  const args = [process.execPath, "--import", "tsx", program, scenario, dir];
  const child = spawn("env", [...wrap, ...args], {
    stdio: ["pipe", "pipe", "ignore"],
    // One lmdb thread only, because strace counts calls per thread.
    env: { ...process.env, UV_THREADPOOL_SIZE: "1" },
  });
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on("line", (line) => lines.push(line));
  const closed = once(reader, "close");
  const hangs = setTimeout(() => child.kill("SIGKILL"), HANGS_AFTER_MS);
  const ended = once(child, "exit").then(async ([code, signal]: (number | NodeJS.Signals | null)[]) => {
    clearTimeout(hangs);
    await closed;
    return code ?? signal ?? "SIGKILL";
  });
  return {
    lines,
    ended,
    async said(start, count = 1) {
      for (;;) {
        const found = lines.filter((line) => line.startsWith(start))[count - 1];
        if (found !== undefined) return found;
        const over = await Promise.race([once(reader, "line").then(() => false), closed.then(() => true)]);
        if (over && lines.filter((line) => line.startsWith(start)).length < count) {
          throw new Error(
            `The child ended without saying "${start}" ${count} times; it said: ${lines.join(", ")}`,
          );
        }
      }
    },
    send: (line) => child.stdin.write(`${line}\n`),
    kill: () => child.kill("SIGKILL"),
  };
}

/** True if the command runs here and succeeds. */
export function works(command: string, ...args: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: "ignore" }).status === 0;
}

/** Leaves a store whose owner was killed behind its fourth commit: the last three are redo. */
export async function leaveRedo(dir: string): Promise<void> {
  const owner = startChild("hold", dir);
  await owner.said("epoch");
  for (let n = 1; n <= 4; n += 1) {
    owner.send("commit");
    await owner.said("committed", n);
  }
  owner.kill();
  await owner.ended;
}
