// Bounded log
// The log file of an engine that runs in the background. The size of the file is limited.
//
//   Owns:          the log file, the file `.old` with earlier lines, the size of both; a `Terminal` (output/terminal) that prints
//                  into the log file.
//   Does not own:  which lines are logged (the engine's log).
//
// BOUNDED-LOG-1. If the log file is larger than the limit, it becomes the file `.old` before the next line is written. So each
//     of the two files exceeds the limit by at most one write, and both together have the newest lines. If writing the log
//     fails, the engine goes on.

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
