// Program row
// What is known of one program's words without running it.
//
//   Owns:          the shape of a row; telling which option of a row a word is.
//   Does not own:  the rows (the other files of this room), what rules make of them (reach, sight).
//
// PROGRAM-ROW-1. An option is known under every spelling that its program takes: with its value attached, cut short,
//     and among other letters. Rather one word too many is taken for one.

/** One row as it is written: names and options are words with spaces between them. */
export interface ProgramRow {
  readonly names: string;
  /** Options whose value is the next word. */
  readonly values?: string;
  /** Options that reach nothing. */
  readonly flags?: string;
  /**
   * Options that write files, run programs, or work elsewhere than where they stand. What has no dash is the beginning of
   * an operand, and `=` alone any operand that sets something.
   */
  readonly reaches?: string;
  /** Options behind which a command stands. */
  readonly starts?: string;
  /** Every option but the flags reaches: `before` the first operand, or in front of `--`. */
  readonly strict?: "before" | "everywhere";
  /** Its first operand is a command. */
  readonly commands?: CommandsRow;
  /** What the program runs: the command after its own options, the script that is its first operand, or anything. */
  readonly runs?: "command" | "script" | "anything";
  /** A part of the shell: a program of this name, in a folder, is another. */
  readonly isBuiltin?: true;
  /** How many operands stand in front of the command that it runs. */
  readonly operandsBefore?: number;
  /** Options whose value is a script. */
  readonly scripts?: string;
  /** A script that only prints. */
  readonly printing?: RegExp;
  /** Its first word is options without their dash. */
  readonly isBundled?: true;
  /** It changes the files that it is given. */
  readonly writes?: true;
  /** The files that it is given are run: one that is not of the folder must be named. */
  readonly runsFiles?: true;
  /** It writes the operands behind so many. */
  readonly reads?: number;
}

export interface CommandsRow {
  /** All there are, where others may be aliases or programs of other people. */
  readonly known?: string;
  /** What must be named to be allowed: it reaches further than the others. */
  readonly named?: string;
  /** What must be named with all its words: it runs what it is told. */
  readonly closed?: string;
  /** The option after which a command comes. */
  readonly wraps?: string;
  /** What hands the options behind it on to a script: those behind `--`, where the row is strict. `*`: any other command. */
  readonly passes?: string;
  /** Commands that change the files that they are given. */
  readonly writes?: string;
  /** Options of one command that reach. */
  readonly reaches?: Readonly<Record<string, string>>;
  /** Other names of a command. */
  readonly same?: Readonly<Record<string, string>>;
}

type Words = ReadonlySet<string>;

/** A row, ready to be looked at. */
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
  /** By another name, the one that rules are written with. */
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

/** The name in a word such as `--name=value`. */
const nameIn = (word: string): string => {
  const at = word.indexOf("=");
  return at < 0 ? word : word.slice(0, at);
};

/**
 * PROGRAM-ROW-1. @returns the option of `among` that a word is, or may be; undefined for none.
 * @param others are known to be none of them, though cut short they could be.
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

/** True for an option that reaches nothing, with whatever value. */
export function isFlag(word: string, { values, flags }: Pick<Program, "values" | "flags">): boolean {
  if (flags.has(word)) return true;
  const name = nameIn(word);
  if (word.startsWith("--")) return name !== word && flags.has(name) && values.has(name);
  const short = word.slice(0, 2);
  return (values.has(short) && flags.has(short)) || isCluster(word, flags);
}

/** True for an option whose next word is known not to be its value. */
export function standsAlone(word: string, program: Pick<Program, "values" | "flags">): boolean {
  if (takesNext(word, program)) return false;
  return isFlag(word, program) || nameIn(word) !== word || program.values.has(word.slice(0, 2));
}

const isCluster = (word: string, flags: Words): boolean =>
  !word.startsWith("--") && Array.from(word.slice(1)).every((letter) => flags.has(`-${letter}`));
