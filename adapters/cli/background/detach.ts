// Detach
// Starts an engine in a background process that goes on after the terminal is closed, and waits until the engine is ready.
//
//   Owns:          starting the background process, and receiving what it reports until the engine is ready.
//   Does not own:  keeping the engine running (supervisor), the engine's log file (bounded-log).
//
// DETACH-1. An engine that a command has started in the background goes on even if the command, which waits until the engine is
//     ready, is interrupted or killed.

import { spawn } from "node:child_process";
import { closeSync, openSync, readFileSync, statSync } from "node:fs";
import { type Note, readNote } from "../supervisor/child.ts";

export interface Detached {
  readonly pid: number;
  readonly url: string;
}

const LINES_SHOWN = 12;

/** @returns the process, once the engine is ready; the last lines of its log if the process ended instead. */
export function detach(
  args: readonly string[],
  log: string,
  onNote: (note: Note) => void,
): Promise<Detached | { readonly said: string }> {
  const before = statSync(log, { throwIfNoEntry: false })?.size ?? 0;
  const file = openSync(log, "a", 0o600);
  const [program = ""] = process.argv.slice(1);
  const child = spawn(process.execPath, [...process.execArgv, program, ...args], {
    detached: true,
    stdio: ["ignore", "ignore", file, "ipc"],
  });
  closeSync(file);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", () => resolve({ said: lastLines(log, before) }));
    child.on("message", (message) => {
      const note = readNote(message);
      if (note?.type !== "ready") return note && onNote(note);
      child.disconnect();
      child.unref();
      resolve({ pid: child.pid ?? 0, url: note.url });
    });
  });
}

function lastLines(path: string, from: number): string {
  const text = readFileSync(path).subarray(from).toString("utf8").trimEnd();
  return text.split("\n").slice(-LINES_SHOWN).join("\n");
}
