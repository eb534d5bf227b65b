// Supervisor
// Keeps one child process running: restarts it when it fails, stops it when asked.
//
//   Owns:          the child, signals, carrying out the policy's verdicts.
//   Does not own:  the verdicts (policy.ts), what the child does.
//
// SUPERVISOR-1. The child never outlives its supervisor: it ends when the channel between them closes.
// SUPERVISOR-2. The first signal asks the child to finish; a later signal ends it at once. One Ctrl-C can arrive twice: from the
//     terminal and from npm.
// SUPERVISOR-3. A child that was asked to finish before it was ready is killed after a while: a child whose start hangs does not
//     handle the request, and its half-done work survives a kill.
// SUPERVISOR-4. If the process was asked to stop before this file listens for signals, no child is started.

import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { type Note, readNote } from "./child.ts";
import { type Ended, RestartPolicy } from "./policy.ts";

export interface Supervised {
  /** Computed at each start: Node's own options, the program, the program's arguments. */
  readonly args: () => readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Receives the child's output. Default: this process's own output. */
  readonly output?: (chunk: Uint8Array) => void;
  readonly onNote: (note: Note) => void;
  readonly onRestart: (why: string, waitMs: number) => void;
  readonly onGivingUp: (why: string) => void;
  /** Aborted if the process was asked to stop. */
  readonly stopping?: AbortSignal | undefined;
}

/** A closed terminal counts, too. Without a terminal, SIGHUP is ignored: a user of nohup wants the engine to stay. */
export const SIGNALS = ["SIGINT", "SIGTERM", ...(process.stdout.isTTY ? (["SIGHUP"] as const) : [])] as const;
const SAME_SIGNAL_MS = 1000;
const START_ENDS_MS = 5_000;

/** @returns the exit code, once the child has ended for good. */
export async function supervise(asked: Supervised): Promise<number> {
  const policy = new RestartPolicy();
  let isReady = false;
  const supervised: Supervised = {
    ...asked,
    onNote(note) {
      if (note.type === "mended") policy.mended();
      if (note.type === "ready") isReady = true;
      asked.onNote(note);
    },
  };
  const stopping = new AbortController();
  let child: ChildProcess | undefined;
  let askedMs = 0;
  const onSignal = (): void => {
    if (!stopping.signal.aborted) {
      askedMs = performance.now();
      child?.kill("SIGTERM");
      stopping.abort();
      if (child && !isReady) endLater(child);
    } else if (performance.now() - askedMs > SAME_SIGNAL_MS) child?.kill("SIGKILL");
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  try {
    if (asked.stopping?.aborted === true) return 0;
    for (;;) {
      let said: string | undefined;
      isReady = false;
      child = start(supervised, (reason) => (said = reason));
      const ended = await endOf(child);
      const verdict = policy.after(said === undefined ? ended : { ...ended, said }, stopping.signal.aborted);
      if (verdict.do === "end") return verdict.code;
      if (verdict.do === "give-up") {
        supervised.onGivingUp(verdict.why);
        return 1;
      }
      supervised.onRestart(verdict.why, verdict.waitMs);
      await sleep(verdict.waitMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return 0;
    }
  } finally {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  }
}

/** Kills a child that was asked to finish and does not (SUPERVISOR-3). */
function endLater(child: ChildProcess): void {
  const timer = setTimeout(() => child.kill("SIGKILL"), START_ENDS_MS);
  child.once("exit", () => clearTimeout(timer));
}

/** @param failed called with the reason when the child is about to end. */
function start({ args, env, output, onNote }: Supervised, failed: (reason: string) => void): ChildProcess {
  const way = output ? "pipe" : "inherit";
  const child = spawn(process.execPath, args(), { env, stdio: ["ignore", way, way, "ipc"] });
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", output ?? (() => undefined));
  child.on("message", (message) => {
    const note = readNote(message);
    if (note?.type === "failed") failed(note.reason);
    else if (note) onNote(note);
  });
  return child;
}

function endOf(child: ChildProcess): Promise<Ended> {
  const startMs = performance.now();
  const ended = (code: number | null, signal: string | null): Ended => ({
    code,
    signal,
    livedMs: performance.now() - startMs,
  });
  return new Promise((resolve) => {
    child.once("exit", (code, signal) => resolve(ended(code, signal)));
    child.once("error", () => resolve(ended(null, null)));
  });
}
