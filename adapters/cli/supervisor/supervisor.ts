// Supervisor
// Keeps one child process running: starts it again after a failure, and stops it when asked to.
//
//   Owns:          the child process, the signals, carrying out the policy's decisions.
//   Does not own:  deciding whether to start the child process again (policy.ts), what that process does.
//
// SUPERVISOR-1. The child process never outlives its supervisor: the child ends when the channel between the two processes
//     closes.
// SUPERVISOR-2. The first signal asks the child process to finish, and a later signal kills it. Signals within a second count
//     as one, because a single Ctrl-C can arrive twice, also from npm.
// SUPERVISOR-3. A child process that was asked to finish before it was ready is killed after a while, because a process that
//     hangs in its start does not notice the request.
// SUPERVISOR-4. If the supervisor's process was asked to stop before it began to listen for signals, the supervisor starts no
//     child process.

import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { type Note, readNote } from "./child.ts";
import { type Ended, RestartPolicy } from "./policy.ts";

export interface Supervised {
  /** The arguments of the child, computed at each start: Node's own options, the program, the program's arguments. */
  readonly args: () => readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Receives the child's output. Default: this process's own output. */
  readonly output?: (chunk: Uint8Array) => void;
  readonly onNote: (note: Note) => void;
  readonly onRestart: (why: string, waitMs: number) => void;
  readonly onGivingUp: (why: string) => void;
  readonly stopping?: AbortSignal | undefined;
}

/**
 * The signals that end the engine. Without a terminal, SIGHUP (a closed terminal) gets no listener: a listener would undo
 * `nohup`, whose user wants the engine to go on.
 */
export const SIGNALS = ["SIGINT", "SIGTERM", ...(process.stdout.isTTY ? (["SIGHUP"] as const) : [])] as const;
const SAME_SIGNAL_MS = 1000;
const START_ENDS_MS = 5_000;

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
  return new Promise((resolve) => {
    const end = (code: number | null, signal: string | null): void =>
      resolve({ code, signal, livedMs: performance.now() - startMs });
    child.once("exit", end);
    child.once("error", () => end(null, null));
  });
}
