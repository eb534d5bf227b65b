// Detach
// Starts an engine that outlives the terminal, and waits until it is ready.
//
//   Owns:          starting the background process, and what that process reports until it is ready.
//   Does not own:  keeping the engine running (supervisor), its log (bounded-log).
//
// DETACH-1. The engine goes on, whatever happens to the command that waits for it.

import { spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { type Note, readNote } from "../supervisor/child.ts";

export interface Detached {
  readonly pid: number;
  readonly url: string;
}

const LINES_SHOWN = 12;

/**
 * Starts this program in the background. @param onNote called with what delays the start.
 * @returns the process, once the engine is ready; the last lines of its log, if the process ended instead.
 */
export function detach(
  args: readonly string[],
  log: string,
  onNote: (note: Note) => void,
): Promise<Detached | { readonly said: string }> {
  const before = sizeOf(log);
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

function sizeOf(path: string): number {
  try {
    return readFileSync(path).length;
  } catch {
    return 0;
  }
}

function lastLines(path: string, from: number): string {
  const text = readFileSync(path).subarray(from).toString("utf8").trimEnd();
  return text.split("\n").slice(-LINES_SHOWN).join("\n");
}
