// Program row
// The form of a row of the table of programs. A row describes the options and commands of one program.
//
//   Owns:          the shape of a row; deciding which option of a row a word of a command is.
//   Does not own:  the rows (the other files of this folder), how rules use a row (reach, sight).
//
// PROGRAM-ROW-1. An option is recognised in every spelling that its program accepts: with its value attached (`-ofile`),
//     abbreviated (`--out` for `--output`), or as one letter among others (`-f` in `-xzf`). If it is unclear whether a word is
//     the option, the word counts as the option.
// PROGRAM-ROW-2. A long option is also recognised with one dash or two, in another letter case, with `-`, `_` or neither between
//     its words, and as one name of a path: `--pool.execArgv` is `--execArgv`, `--api.port` is `--api`.

import { remembered } from "../remembered.ts";

/** A program's row as the table is written. Several names or options are one text, with spaces between them. */
export interface ProgramRow {
  readonly names: string;
  /** Options whose value is the next word. */
  readonly values?: string;
  /** Options that do not affect which files, programs or places the program uses. */
  readonly flags?: string;
  /**
   * Options with which the program writes files, runs programs, or works elsewhere. A text without a dash means operands that
   * begin with it; `=` alone means any operand that sets something.
   */
  readonly reaches?: string;
  /** Options whose next words are a command that the program runs. */
  readonly starts?: string;
  /** Where any option that is not in `flags` counts as one of `reaches`: `before` the first operand, `everywhere` up to `--`. */
  readonly strict?: "before" | "everywhere";
  readonly commands?: CommandsRow;
  /** What the program runs: the command after its own options, the script in its first operand, or anything. */
  readonly runs?: "command" | "script" | "anything";
  /** True for a command of the shell itself. A program file with the same name is another program. */
  readonly isBuiltin?: true;
  /** How many operands come before the command that the program runs. */
  readonly operandsBefore?: number;
  readonly scripts?: string;
  /** Matches a script that does nothing but print. */
  readonly printing?: RegExp;
  /** True if the first word consists of options without their dash. */
  readonly isBundled?: true;
  /** True if the program changes the files that its operands name. */
  readonly writes?: true;
  /** True if the program runs the files that its operands name. A rule must then name each such file outside the folder. */
  readonly runsFiles?: true;
  /** True if a word that begins with `@` is a plain name. For any other program, this word may name a file with further words. */
  readonly hasAtNames?: true;
  /** How many of its first operands the program only reads. The program writes to the operands after these. */
  readonly reads?: number;
}

export interface CommandsRow {
  /** All commands of the program. Any other word may be an alias, or a program that somebody added. */
  readonly known?: string;
  /** Commands that a rule to allow must contain by name, because they do more than the program's other commands. */
  readonly named?: string;
  /** Commands that a rule to allow must contain with all their words, because the commands run what these words name. */
  readonly closed?: string;
  /** Commands whose next words are a command that the program runs. `*`: the program runs any word that it does not know. */
  readonly wraps?: string;
  /**
   * Commands that pass their options on to a script. If `strict` is `everywhere`, only the options after `--` are passed on. `*`:
   * all commands except those in `named` and `closed`.
   */
  readonly passes?: string;
  /** Commands that change the files that their operands name. */
  readonly writes?: string;
  readonly reaches?: Readonly<Record<string, string>>;
  readonly same?: Readonly<Record<string, string>>;
}

type Words = ReadonlySet<string>;

/** A program's row in the form that the code reads, with sets in place of the row's texts. */
export interface Program extends Omit<
  ProgramRow,
  "names" | "values" | "flags" | "reaches" | "starts" | "scripts" | "commands"
> {
  readonly values: Words;
  readonly flags: Words;
  readonly reaches: Words;
  readonly starts: Words;
  readonly scripts: Words;
  readonly commands?: Commands;
}

export interface Commands {
  readonly known?: Words;
  readonly named: Words;
  readonly closed: Words;
  readonly wraps: Words;
  readonly passes: Words;
  readonly writes: Words;
  readonly reaches: ReadonlyMap<string, Words>;
  /** For each other name of a command: the name that rules use. */
  readonly same: ReadonlyMap<string, string>;
}

const wordsOf = (text = ""): Words => new Set(text.split(/\s+/).filter((word) => word !== ""));

export function programOf({
  names: _,
  values,
  flags,
  reaches,
  starts,
  scripts,
  commands,
  ...row
}: ProgramRow): Program {
  return {
    ...row,
    values: wordsOf(values),
    flags: wordsOf(flags),
    reaches: wordsOf(reaches),
    starts: wordsOf(starts),
    scripts: wordsOf(scripts),
    ...(commands && { commands: commandsOf(commands) }),
  };
}

function commandsOf({ known, reaches = {}, same = {}, ...row }: CommandsRow): Commands {
  const others = Object.entries(same).flatMap(([name, all]) =>
    [...wordsOf(all)].map((each) => [each, name] as const),
  );
  return {
    ...(known !== undefined && { known: wordsOf(known) }),
    named: wordsOf(row.named),
    closed: wordsOf(row.closed),
    wraps: wordsOf(row.wraps),
    passes: wordsOf(row.passes),
    writes: wordsOf(row.writes),
    reaches: new Map(Object.entries(reaches).map(([name, options]) => [name, wordsOf(options)])),
    same: new Map(others),
  };
}

export const isOption = (word: string): boolean => word.length > 1 && word.startsWith("-");

const nameIn = (word: string): string => {
  const at = word.indexOf("=");
  return at < 0 ? word : word.slice(0, at);
};

/**
 * PROGRAM-ROW-1, PROGRAM-ROW-2.
 * @returns the option in `among` that the word means, if any.
 * @param others options of the program that are not in `among`, although they could be abbreviations of one in `among`.
 */
export function optionIn(word: string, among: Words, others?: Words): string | undefined {
  if (!isOption(word)) return operandIn(word, among);
  const name = nameIn(word);
  if (among.has(name)) return name;
  if (others?.has(name)) return undefined;
  return [...among].find((option) => isLetterIn(option, word) || isSpelled(option, name));
}

/**
 * The name of a long option in a form that all its spellings share (PROGRAM-ROW-2), without a value that follows `:`, as in
 * MSBuild.
 */
const foldedName = remembered((name: string): string =>
  name.replace(/:.*$/s, "").replace(/[-_]/g, "").toLowerCase(),
);

function isSpelled(option: string, name: string): boolean {
  const [wanted, given] = [foldedName(option), foldedName(name)];
  if (given === "") return false;
  // An abbreviation counts only with two dashes (`--out` for `--output`): programs whose long options have one dash accept
  // none.
  if (name.startsWith("--") && (option.startsWith("--") ? wanted.startsWith(given) : wanted === given))
    return true;
  return wanted.length > 1 && `.${given}.`.includes(`.${wanted}.`);
}

const operandIn = (word: string, among: Words): string | undefined =>
  [...among].find((each) =>
    each === "=" ? word.includes("=") : !each.startsWith("-") && word.startsWith(each),
  );

/** True if the option `-o` is among the letters of `-xo`, or has its value attached in `-ofile`. */
const isLetterIn = (option: string, word: string): boolean =>
  /^-[^-]$/.test(option) && !word.startsWith("--") && word.includes(option.slice(1));

export const takesNext = (word: string, { values }: Pick<Program, "values">): boolean => values.has(word);

/** True for an option that changes nothing about files, programs or places, with any value. */
export function isFlag(word: string, { values, flags }: Pick<Program, "values" | "flags">): boolean {
  if (flags.has(word)) return true;
  const name = nameIn(word);
  if (word.startsWith("--")) return name !== word && flags.has(name) && values.has(name);
  const short = word.slice(0, 2);
  return (values.has(short) && flags.has(short)) || isCluster(word, flags);
}

/** True for an option of which it is certain that the next word is not its value. */
export function standsAlone(word: string, program: Pick<Program, "values" | "flags">): boolean {
  if (takesNext(word, program)) return false;
  return isFlag(word, program) || nameIn(word) !== word || program.values.has(word.slice(0, 2));
}

const isCluster = (word: string, flags: Words): boolean =>
  !word.startsWith("--") && Array.from(word.slice(1)).every((letter) => flags.has(`-${letter}`));
