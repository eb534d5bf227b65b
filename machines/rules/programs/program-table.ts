// Program table
// The table of programs: which options of a program take a value, write files, run programs, or make the program work
// elsewhere, for example in another folder.
//
//   Owns:          finding the row of a program by the word that starts it in a command.
//   Does not own:  the rows (the other files of this folder), how rules use a row (reach, sight).
//
// PROGRAM-TABLE-1. A program's name is recognised after a path, in any letter case, with a version, a file ending or a leading
//     `g`: `/usr/bin/Python3.12`, `git.exe`, `gsort`. No name is in two rows.

import { BUILDS } from "./builds.ts";
import { CONTAINERS } from "./containers.ts";
import { FILES } from "./files.ts";
import { REPOSITORIES } from "./git.ts";
import { PACKAGES } from "./packages.ts";
import { type Program, programOf, type ProgramRow } from "./program-row.ts";
import { SHELLS } from "./shells.ts";

/** The row for programs without a row: the options with which most programs write files, run programs or work elsewhere. */
const ANY_OTHER: ProgramRow = {
  names: "",
  reaches: `--output --output-file --output-dir --output-directory --outfile --outdir --out --out-dir --out-file --write --in-place
    --inplace --exec --execute --eval --pre --pager --editor --shell --plugin --require --preload --config --config-file
    --rcfile --init-file --script --hook --upload-pack --receive-pack --ext-diff --filter-cmd --rsh --unix-socket --log-file`,
};

export const ROWS: readonly ProgramRow[] = [
  ...REPOSITORIES,
  ...PACKAGES,
  ...BUILDS,
  ...CONTAINERS,
  ...SHELLS,
  ...FILES,
];

const BY_NAME: ReadonlyMap<string, Program> = new Map(
  ROWS.flatMap((row) => {
    const program = programOf(row);
    return namesOf(row).map((name) => [name, program] as const);
  }),
);
const OTHER = programOf(ANY_OTHER);

export function namesOf({ names }: ProgramRow): readonly string[] {
  return names.toLowerCase().split(/\s+/);
}

export const isKnownProgram = (word: string): boolean => programNamed(word) !== OTHER;

/** PROGRAM-TABLE-1. @returns the program's row; for an unknown program, the row for every other program. */
export function programNamed(word: string): Program {
  const name = word.slice(word.lastIndexOf("/") + 1).toLowerCase();
  const plain = name.replace(/\.(?:exe|cmd|bat|com)$/, "");
  for (const each of [name, plain, plain.replace(/-?[\d.]+$/, ""), plain.replace(/^g(?=\w{2})/, "")]) {
    const found = BY_NAME.get(each);
    if (found && !(found.isBuiltin && each !== word.toLowerCase())) return found;
  }
  return OTHER;
}
