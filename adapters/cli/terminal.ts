// Terminal
// Everything a command says goes through here.
//
//   Owns:          standard output and error; that nothing reaches them unseen (visible.ts).
//   Does not own:  what is said.
//
// V3. Commands have no other way to write.

import { safeJson, visible } from "../../runtime/visible.ts";

export interface Terminal {
  /** A line, or several, on standard output. */
  out(text: string): void;
  /** A JSON value in one line on standard output. */
  json(value: unknown): void;
  /** A line on standard error. */
  err(text: string): void;
  /** Draws lines over those drawn before; on a screen only. */
  draw(lines: readonly string[]): void;
  /** Rings; on a screen only. */
  bell(): void;
  /** Whether standard output is a screen. */
  readonly isScreen: boolean;
  readonly size: { readonly columns: number; readonly rows: number };
}

const BELL = "\u0007";
const CLEAR_BELOW = "\u001b[0J";
const up = (lines: number): string => (lines > 0 ? `\u001b[${lines}F` : "\r");

export function processTerminal(): Terminal {
  const { stdout, stderr } = process;
  // A reader that has seen enough (`| head`) is no failure.
  stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));
  let drawn = 0;
  return {
    out: (text) => void stdout.write(`${visible(text)}\n`),
    json: (value) => void stdout.write(`${safeJson(value)}\n`),
    err: (text) => void stderr.write(`${visible(text)}\n`),
    draw(lines) {
      const shown = lines.map((line) => `${visible(line).replaceAll("\n", "␊")}\n`).join("");
      stdout.write(`${up(drawn)}${CLEAR_BELOW}${shown}`);
      drawn = lines.length;
    },
    bell() {
      if (stdout.isTTY) stdout.write(BELL);
    },
    isScreen: stdout.isTTY,
    get size() {
      return { columns: stdout.columns || 100, rows: stdout.rows || 30 };
    },
  };
}
