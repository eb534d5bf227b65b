// Program row
// The form in which this folder describes the options and commands of one program: its row.
//
//   Owns:          the shape of a row; finding which option of a row a word is.
//   Does not own:  the rows (the other files of this folder), how rules use a row (reach, sight).
//
// PROGRAM-ROW-1. An option is recognised in every spelling that its program accepts: with its value attached, abbreviated, or
//     as one letter among others. In doubt a word counts as the option.

/** A row as it is written here. Several names or options are one text, with spaces between them. */
export interface ProgramRow {
  readonly names: string;
  /** Options whose value is the next word. */
  readonly values?: string;
  /** Options that change nothing about files, programs or places. */
  readonly flags?: string;
  /**
   * Options that write files, run programs, or make the program work elsewhere. A text without a dash is the beginning of an
   * operand; `=` alone is any operand that sets something.
   */
  readonly reaches?: string;
  /** Options whose next words are a command that the program runs. */
  readonly starts?: string;
  /** Where every option but `flags` counts as one of `reaches`: `before` the first operand, or before `--`; or `everywhere`. */
  readonly strict?: "before" | "everywhere";
  /** Present if the first operand is a command. */
  readonly commands?: CommandsRow;
  /** What the program runs: the command after its own options, the script in its first operand, or anything. */
  readonly runs?: "command" | "script" | "anything";
  /** True for a command of the shell itself. A file of this name in a folder is another program. */
  readonly isBuiltin?: true;
  /** How many operands come before the command that the program runs. */
  readonly operandsBefore?: number;
  readonly scripts?: string;
  /** Matches a script that only prints. */
  readonly printing?: RegExp;
  /** True if the first word consists of options without their dash. */
  readonly isBundled?: true;
  /** True if the program changes the files that its operands name. */
  readonly writes?: true;
  /** True if the program runs the files that its operands name. A rule must then name each such file outside the folder. */
  readonly runsFiles?: true;
  /** How many operands the program only reads. It writes the further ones. */
  readonly reads?: number;
}

export interface CommandsRow {
  /** All commands of the program. Any other word may be an alias, or a program that somebody added. */
  readonly known?: string;
  /** Commands that a rule to allow must contain by name, because they do more than the others. */
  readonly named?: string;
  /** Commands that a rule to allow must contain with all their words, because they run what these words name. */
  readonly closed?: string;
  /** The option whose next words are a command that the program runs. */
  readonly wraps?: string;
  /** Commands that pass their options on to a script; if the row is strict, only those after `--`. `*`: any other command. */
  readonly passes?: string;
  /** Commands that change the files that their operands name. */
  readonly writes?: string;
  /** For one command: further options that count as `reaches`. */
  readonly reaches?: Readonly<Record<string, string>>;
  readonly same?: Readonly<Record<string, string>>;
}

type Words = ReadonlySet<string>;

/** A row in the form in which it is read: its texts as sets. */
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
 * PROGRAM-ROW-1. @returns the option of `among` that a word is, or may be; undefined if it is none.
 * @param others options that are known not to be in `among`, although they could be abbreviations of one.
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

/** True if the option `-o` is among the letters of `-xo`, or has its value attached in `-ofile`. */
const isLetterIn = (option: string, word: string): boolean =>
  /^-[^-]$/.test(option) && !word.startsWith("--") && word.includes(option.slice(1));

/** True if the word is an option whose value is the next word. */
export const takesNext = (word: string, { values }: Pick<Program, "values">): boolean => values.has(word);

/** True for an option that changes nothing about files, programs or places, with any value. */
export function isFlag(word: string, { values, flags }: Pick<Program, "values" | "flags">): boolean {
  if (flags.has(word)) return true;
  const name = nameIn(word);
  if (word.startsWith("--")) return name !== word && flags.has(name) && values.has(name);
  const short = word.slice(0, 2);
  return (values.has(short) && flags.has(short)) || isCluster(word, flags);
}

/** True for an option that certainly does not take the next word as its value. */
export function standsAlone(word: string, program: Pick<Program, "values" | "flags">): boolean {
  if (takesNext(word, program)) return false;
  return isFlag(word, program) || nameIn(word) !== word || program.values.has(word.slice(0, 2));
}

const isCluster = (word: string, flags: Words): boolean =>
  !word.startsWith("--") && Array.from(word.slice(1)).every((letter) => flags.has(`-${letter}`));
