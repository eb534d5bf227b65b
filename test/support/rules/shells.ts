// Shells
// What real shells make of a text: the argument lists that they would run.
//
//   Owns:          running bash and dash where every program is a stand-in and nothing else can be reached.
//   Does not own:  the texts.

import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Stands for a program: it says what it was given, and does nothing. A channel of its own: a substitution takes output. */
const STAND_IN = `said() { { for each in "$@"; do printf '%s\\036' "$each"; done; printf '\\035'; } >&3; }`;
/** The system takes no longer argument than 128 KiB. */
const SCRIPT_MAX = 96 * 1024;
const ENV = { PATH: "/nonexistent", LC_ALL: "C" };

function run(args: readonly string[], script: string): string {
  const [program = "", ...rest] = args;
  const cwd = mkdtempSync(join(tmpdir(), "signalbox-shell-"));
  try {
    const { output, error } = spawnSync(program, [...rest, "-c", script], {
      cwd,
      env: ENV,
      stdio: ["ignore", "ignore", "ignore", "pipe"],
      encoding: "utf8",
      timeout: 10_000,
      maxBuffer: 64 * 1024 * 1024,
    });
    if (error && "code" in error && error.code === "E2BIG") throw error;
    return output[3] ?? "";
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

const SHELLS = { bash: ["/bin/bash", "--norc", "--noprofile"], dash: ["/bin/sh"] } as const;
export type Shell = keyof typeof SHELLS;

/** What one text makes a shell run of `programs`, in order: each with its words. */
export function ranBy(
  shell: Shell,
  text: string,
  programs: readonly string[],
): readonly (readonly string[])[] {
  const stands = programs.map((name) => `${name}() { said ${name} "$@"; }`);
  return recordsOf(run(SHELLS[shell], [STAND_IN, ...stands, text].join("\n")));
}

/** The words that a shell sees in each of many texts, each of which is to be the end of one plain command. */
export function wordsBy(shell: Shell, texts: readonly string[]): readonly (readonly string[])[] {
  const scripts: string[] = [];
  for (const text of texts) {
    const longer = `${scripts.at(-1) ?? ""}\nsaid ${text}`;
    if (scripts.length > 0 && Buffer.byteLength(longer) < SCRIPT_MAX) scripts[scripts.length - 1] = longer;
    else scripts.push(`${STAND_IN}\nsaid ${text}`);
  }
  return scripts.flatMap((script) => recordsOf(run(SHELLS[shell], script)));
}

const recordsOf = (out: string): readonly (readonly string[])[] =>
  out
    .split("\x1d")
    .slice(0, -1)
    .map((record) => record.split("\x1e").slice(0, -1));

/** What a shell ran of the programs on its path, by their argument lists, and what it left in a folder that was empty. */
export interface Run {
  readonly ran: readonly (readonly string[])[];
  readonly left: readonly string[];
}

/** Runs a text in an empty folder, where each program is a stub on the path that records what it was called with. */
export const ranOnPath = (shell: Shell, text: string, programs: readonly string[]): Run =>
  ranAsList([...SHELLS[shell], "-c", text], programs);

/** The same for the words of a list, of which the first is the program. */
export function ranAsList([program = "", ...rest]: readonly string[], programs: readonly string[]): Run {
  const room = mkdtempSync(join(tmpdir(), "signalbox-stubs-"));
  const [bin, cwd, record] = [join(room, "bin"), join(room, "empty"), join(room, "record")];
  const stub = `#!/bin/sh\n{ for each in "\${0##*/}" "$@"; do printf '%s\\036' "$each"; done; printf '\\035'; } >>${record}\n`;
  try {
    for (const dir of [bin, cwd]) mkdirSync(dir);
    for (const name of programs) writeFileSync(join(bin, name), stub, { mode: 0o755 });
    const env = { PATH: bin, HOME: cwd, LC_ALL: "C" };
    spawnSync(program, rest, { cwd, env, stdio: "ignore", timeout: 10_000 });
    const ran = existsSync(record) ? recordsOf(readFileSync(record, "utf8")) : [];
    return { ran, left: readdirSync(cwd) };
  } finally {
    rmSync(room, { recursive: true, force: true });
  }
}
