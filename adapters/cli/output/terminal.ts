// Terminal
// Prints everything that a command prints.
//
//   Owns:          standard output and error; making hidden characters visible in all text before it is printed (visible.ts).
//   Does not own:  what the commands print.
//
// TERMINAL-1. Commands print only through this file. (checked by review: a test sees what is printed, not by which file)
// TERMINAL-2. Hidden characters of a text are made visible before colours are added. Colours are added only on a screen, and
//     never if NO_COLOR is set.

import { safeJson, visible } from "../../../runtime/text/visible.ts";
import { widthOf } from "./width.ts";

export type Tone = "waiting" | "running" | "bad" | "quiet";

export interface Toned {
  readonly text: string;
  readonly tone?: Tone | undefined;
}

export interface Terminal {
  /** Prints lines on standard output, above the drawn part; lines with a tone are coloured on a screen. */
  out(text: string | readonly Toned[]): void;
  json(value: unknown): void;
  err(text: string): void;
  /** Replaces the lines drawn before, on a screen only; no line may be wider than the screen. */
  draw(lines: readonly (string | Toned)[]): void;
  bell(): void;
  readonly isScreen: boolean;
  readonly size: { readonly columns: number; readonly rows: number };
}

export const columnsOf = ({ isScreen, size }: Pick<Terminal, "isScreen" | "size">): number =>
  isScreen ? size.columns : Infinity;

const COLOURS: Readonly<Record<Tone, string>> = { waiting: "1;33", running: "36", bad: "31", quiet: "2" };
const BELL = "\u0007";
const CLEAR_BELOW = "\u001b[0J";
const up = (lines: number): string => `\u001b[${lines}F`;

/** False if NO_COLOR has any non-empty value (the convention of no-color.org), or TERM is `dumb`. */
const isColoured = ({ NO_COLOR, TERM }: NodeJS.ProcessEnv): boolean => !NO_COLOR && TERM !== "dumb";

export function processTerminal(): Terminal {
  const { stdout, stderr } = process;
  const hasColours = isColoured(process.env);
  // If the reader closes the pipe early (`| head`), the command has not failed.
  stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));
  let drawn: readonly string[] = [];
  /** Erases the drawn lines. If the screen was made narrower since, they have wrapped, and take more lines than were drawn. */
  const eraser = (): string => {
    const rows = drawn.map((line) => Math.max(1, Math.ceil(widthOf(line) / (stdout.columns || 100))));
    return drawn.length === 0 ? "" : `${up(rows.reduce((sum, each) => sum + each, 0))}${CLEAR_BELOW}`;
  };
  const erase = (): void => {
    stdout.write(eraser());
    drawn = [];
  };
  const painted = ({ text, tone }: Toned): string =>
    tone && hasColours && stdout.isTTY ? `\u001b[${COLOURS[tone]}m${visible(text)}\u001b[0m` : visible(text);
  return {
    out(text) {
      erase();
      const lines = typeof text === "string" ? [visible(text)] : text.map(painted);
      stdout.write(lines.map((line) => `${line}\n`).join(""));
    },
    json: (value) => void stdout.write(`${safeJson(value)}\n`),
    err(text) {
      erase();
      stderr.write(`${visible(text)}\n`);
    },
    draw(lines) {
      const shown = lines.map((line) => {
        const { text, tone } = typeof line === "string" ? { text: line } : line;
        const safe = visible(text).replaceAll("\n", "␊");
        const painted = tone && hasColours ? `\u001b[${COLOURS[tone]}m${safe}\u001b[0m` : safe;
        return { safe, painted };
      });
      stdout.write(eraser() + shown.map(({ painted }) => `${painted}\n`).join(""));
      drawn = shown.map(({ safe }) => safe);
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
