// Program row
// Describes the words of one program's commands.
//
//   Owns:          the shape of a row; finding the option of a row that a word is.
//   Does not own:  the rows (the other files of this folder), how rules use a row (reach, sight).
//
// PROGRAM-ROW-1. An option is recognised in every spelling that its program takes: with its value attached, abbreviated, and
//     among other letters. In doubt a word counts as the option.

/** A row as it is written: names and options are words with spaces between them. */
export interface ProgramRow {
  readonly names: string;
  /** Options whose value is the next word. */
  readonly values?: string;
  /** Options without an effect on files, programs or places. */
  readonly flags?: string;
  /**
   * Options that write files, run programs, or work in another place. A word without a dash is the beginning of an operand, and
   * `=` alone is any operand that sets something.
   */
  readonly reaches?: string;
  /** Options that a command follows. */
  readonly starts?: string;
  /** Every option except the flags counts as reaching: `before` the first operand, or before `--`. */
  readonly strict?: "before" | "everywhere";
  /** Present if the first operand is a command. */
  readonly commands?: CommandsRow;
  /** What the program runs: the command after its own options, the script that is its first operand, or anything. */
  readonly runs?: "command" | "script" | "anything";
  /** True for a part of the shell; a file of this name in a folder is another program. */
  readonly isBuiltin?: true;
  /** How many operands come before the command that the program runs. */
  readonly operandsBefore?: number;
  readonly scripts?: string;
  /** A script that only prints. */
  readonly printing?: RegExp;
  /** True if the first word consists of options without their dash. */
  readonly isBundled?: true;
  /** True if the program changes the files it is given. */
  readonly writes?: true;
  /** True if the program runs the files it is given; a rule must contain a file from outside the folder. */
  readonly runsFiles?: true;
  /** How many operands the program only reads; it writes the further ones. */
  readonly reads?: number;
}

export interface CommandsRow {
  /** All commands of the program; any other word may be an alias or someone's own program. */
  readonly known?: string;
  /** Commands that a rule must contain to allow them, because they do more than the others. */
  readonly named?: string;
  /** Commands that a rule must contain with all their words, because they run what they are given. */
  readonly closed?: string;
  /** The option that a command follows. */
  readonly wraps?: string;
  /** Commands that pass the options after them to a script; if the row is strict, those after `--`. `*`: any other command. */
  readonly passes?: string;
  /** Commands that change the files they are given. */
  readonly writes?: string;
  /** Options of one command that count as reaching. */
  readonly reaches?: Readonly<Record<string, string>>;
  readonly same?: Readonly<Record<string, string>>;
}

type Words = ReadonlySet<string>;

/** A row in the form that readers use. */
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
  /** For another name of a command, the name that rules use. */
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
 * PROGRAM-ROW-1. @returns the option of `among` that a word is, or may be; undefined if none.
 * @param others are known not to be in `among`, although they could be abbreviations.
 */
export function optionIn(word: string, among: Words, others?: Words): string | undefined {
  if (!isOption(word)) return operandIn(word, among);
  const name = nameIn(word);
  if (among.has(name)) return name;
  if (others?.has(name)) return undefined;
  for (const option of among) {
    const isCutShort = name.length > 2 && option.startsWith(name);
    if (name.startsWith("--") ? isCutShort : isLetterIn(option, word)) return option;
  }
  return undefined;
}

const operandIn = (word: string, among: Words): string | undefined =>
  [...among].find((each) =>
    each === "=" ? word.includes("=") : !each.startsWith("-") && word.startsWith(each),
  );

/** True if `-o` is in `-xo` or in `-ofile`. */
const isLetterIn = (option: string, word: string): boolean =>
  /^-[^-]$/.test(option) && !word.startsWith("--") && word.includes(option.slice(1));

/** True if the next word is the value of this one. */
export const takesNext = (word: string, { values }: Pick<Program, "values">): boolean => values.has(word);

/** True for an option without an effect, with whatever value. */
export function isFlag(word: string, { values, flags }: Pick<Program, "values" | "flags">): boolean {
  if (flags.has(word)) return true;
  const name = nameIn(word);
  if (word.startsWith("--")) return name !== word && flags.has(name) && values.has(name);
  const short = word.slice(0, 2);
  return (values.has(short) && flags.has(short)) || isCluster(word, flags);
}

/** True for an option whose next word is certainly not its value. */
export function standsAlone(word: string, program: Pick<Program, "values" | "flags">): boolean {
  if (takesNext(word, program)) return false;
  return isFlag(word, program) || nameIn(word) !== word || program.values.has(word.slice(0, 2));
}

const isCluster = (word: string, flags: Words): boolean =>
  !word.startsWith("--") && Array.from(word.slice(1)).every((letter) => flags.has(`-${letter}`));
