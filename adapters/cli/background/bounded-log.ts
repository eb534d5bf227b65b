// Bounded log
// The log file of an engine that runs in the background. The file never grows beyond a limit.
//
//   Owns:          the log file, the older file that it replaces, the size of each; a terminal that writes to the log file.
//   Does not own:  which lines are logged (the engine's log).
//
// BOUNDED-LOG-1. The log file and the older file together have at most twice the limit and one line, and contain the newest
//     lines. If writing the log fails, the engine goes on.

import { appendFileSync, renameSync, statSync } from "node:fs";
import { safeJson, visible } from "../../../runtime/text/visible.ts";
import type { Terminal } from "../output/terminal.ts";

const BYTES_MAX = 1024 * 1024;

export class BoundedLog {
  readonly path: string;
  readonly #bytesMax: number;

  constructor(path: string, bytesMax = BYTES_MAX) {
    this.path = path;
    this.#bytesMax = bytesMax;
  }

  append(text: string | Uint8Array): void {
    try {
      const { size } = statSync(this.path, { throwIfNoEntry: false }) ?? { size: 0 };
      if (size > this.#bytesMax) renameSync(this.path, `${this.path}.old`);
      appendFileSync(this.path, text, { mode: 0o600 });
    } catch {
      // If the log cannot be written, nothing is reported here: the engine itself reports a full disk.
    }
  }
}

export function logTerminal(log: BoundedLog, now: () => number): Terminal {
  const line = (text: string): void => log.append(`${new Date(now()).toISOString()} ${visible(text)}\n`);
  return {
    out: (text) => line(typeof text === "string" ? text : text.map((each) => each.text).join("\n")),
    json: (value) => log.append(`${safeJson(value)}\n`),
    err: line,
    draw: () => undefined,
    bell: () => undefined,
    isScreen: false,
    size: { columns: 100, rows: 30 },
  };
}
