// Bounded log
// The log file of an engine in the background, which never grows beyond a limit.
//
//   Owns:          the file and its predecessor, their size; a terminal that writes to the file.
//   Does not own:  what the lines say (the engine's log).
//
// BOUNDED-LOG-1. The two files together are never larger than twice the limit and one line, and always contain the newest lines.
//     A log that cannot be written does not end the engine.

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
      // The log reports no failure to write: the engine itself reports a full disk.
    }
  }
}

/** @param now ms. */
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
