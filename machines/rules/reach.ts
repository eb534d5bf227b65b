// Reach
// Finds the words that make the program of a plain command do more than usual. A rule allows a command with such words only if
// the rule contains these words.
//
//   Owns:          reading the words of a command by the table of programs.
//   Does not own:  the table (programs), whether a rule contains a word (command-match).
//
// REACH-1. An option that writes a file, runs a program, or makes the program work elsewhere is found at any place and in any
//     spelling, and so is a file from which the program reads such options (`@file`). A word between a program and its command
//     (such as `git` and `push`) is found, too, unless the word is known to be harmless.
// REACH-2. Everything that a command runs is found: the program after `sudo`, the script of `python`, a possible alias of `git`.
// REACH-3. If a program changes the files that its operands name, an operand that names a file that runs later is found. In a
//     folder such as `.git`, any word except an absolute path may be such a file.

import { runsLater, tellingNames } from "./later-files.ts";
import { programNamed } from "./programs/program-table.ts";
import {
  type Commands,
  isFlag,
  isOption,
  optionIn,
  type Program,
  takesNext,
} from "./programs/program-row.ts";

export interface Reach {
  readonly at: number;
  /** What a rule must contain. `literal`: exactly this word. `present`: some word at this place, which may contain `*`. */
  readonly need: "literal" | "present";
  /** If given, the word in the rule need only begin with this text. */
  readonly option?: string;
  /** True if the word is a command that is run, or decides what is run. */
  readonly isRun?: true;
}

/** The words of a plain command that a rule to allow must contain. @param cwd the folder where the command runs, if known. */
export function reachesOf(words: readonly string[], cwd?: string): readonly Reach[] {
  const reading = new Reading(words, cwd);
  reading.program(0);
  return reading.found;
}

class Reading {
  readonly found: Reach[] = [];
  readonly #words: readonly string[];
  /** True if the command runs in a folder such as `.git`, where every file may run later. */
  readonly #isAmongLater: boolean;

  constructor(words: readonly string[], cwd = "") {
    this.#words = words;
    this.#isAmongLater = runsLater(`${cwd}/x`);
  }

  program(at: number, name = this.#word(at)): void {
    const program = programNamed(name);
    if (program.runs === "anything") this.#run(at + 1, this.#words.length);
    else if (program.runs === "command")
      this.program(this.#wrapped(at, program, program.operandsBefore ?? 0));
    else this.#own(at, program);
  }

  #own(at: number, program: Program): void {
    const { commands, runs, strict, isBundled = false, runsFiles = false, hasAtNames = false } = program;
    let first = at + 1;
    if (runs === "script") first = this.#script(at, program);
    else if (commands || strict === "before") first = this.#before(at, program);
    if (commands) this.#command(first, program, commands);
    this.#options(first, program.reaches, program.flags);
    this.#started(first, program.starts);
    if (strict === "everywhere") this.#strict(at, program);
    if (isBundled) this.#tell(at + 1, "literal");
    if (program.writes) this.#files(at);
    if (runsFiles) this.#elsewhere(at);
    if (!hasAtNames) this.#lists(at);
    if (program.reads !== undefined) this.#operands(at, program, program.reads);
  }

  /** Reads the options that come before a command. @returns the place of the first operand. */
  #before(from: number, program: Program): number {
    let at = from + 1;
    // For cargo and similar programs, `+name` chooses a toolchain. Any other program takes `+name` for a command.
    while (/^[-+]./.test(this.#word(at))) {
      const word = this.#word(at);
      const isHarmless = isOption(word) && isFlag(word, program);
      if (!isHarmless) this.#tell(at, "literal", longOf(word));
      at += 1;
      if (!takesNext(word, program)) continue;
      if (!isHarmless) this.#tell(at, "present");
      at += 1;
    }
    return at;
  }

  #command(
    at: number,
    { strict }: Program,
    { known, named, closed, wraps, passes, writes, same, reaches: of }: Commands,
  ): void {
    const word = this.#word(at);
    const names = [word, same.get(word) ?? word];
    const is = (among: ReadonlySet<string>): boolean => names.some((name) => among.has(name));
    const isOther = known !== undefined && !is(known);
    if (at >= this.#words.length) return;
    if (is(closed)) this.#run(at, this.#words.length);
    else if (is(wraps) || (isOther && wraps.has("*"))) {
      this.#run(at, at + 1);
      const ran = this.#wrapped(is(wraps) ? at : at - 1, { values: new Set(), scripts: new Set() }, 0);
      // The program runs a file or a script, never a builtin of the shell: in `yarn test`, `test` is a script. So the word is
      // read as `./test`, which is no builtin.
      this.program(ran, `./${this.#word(ran)}`);
    } else if (is(named) || isOther) this.#tell(at, "literal");
    if (passes.has("*") ? !is(named) && !is(closed) : is(passes)) this.#passed(at, strict === "everywhere");
    if (is(writes)) this.#files(at);
    for (const name of new Set(names)) this.#options(at + 1, of.get(name) ?? new Set(), new Set());
  }

  /** REACH-2: finds the command after a wrapper such as `sudo`, and every word before it. @returns the command's place. */
  #wrapped(from: number, program: Pick<Program, "values" | "scripts">, operands: number): number {
    let at = from + 1;
    let left = operands;
    for (; at < this.#words.length; at += 1) {
      const word = this.#word(at);
      if (isOption(word) || word === "-") {
        if (optionIn(word, program.scripts) !== undefined) at = this.#words.length;
        if (takesNext(word, program)) at += 1;
      } else if (/^\w+\+?=/.test(word)) continue;
      else if (left > 0) left -= 1;
      else break;
    }
    this.#run(from + 1, at + 1);
    return at;
  }

  /** Reads the script of an interpreter. @returns where the script's own arguments begin. */
  #script(from: number, program: Program): number {
    const { printing, scripts } = program;
    let at = from + 1;
    for (; isOption(this.#word(at)); at += 1) {
      const word = this.#word(at);
      if (scripts.has(word)) {
        this.#scriptAt(at + 1, printing);
        if (!printing) this.#run(at, at + 1);
        if (word === "-m") this.program(at + 1);
        return at + 2;
      }
      if (!isFlag(word, program)) this.#tell(at, "literal");
      if (takesNext(word, program)) at += 1;
    }
    this.#scriptAt(at, printing);
    return at + 1;
  }

  #scriptAt(at: number, printing: RegExp | undefined): void {
    if (!printing) this.#run(at, at + 1);
    else if (!printing.test(this.#word(at))) this.#tell(at, "literal");
  }

  #options(from: number, among: ReadonlySet<string>, others: ReadonlySet<string>): void {
    for (let at = from; at < this.#words.length; at += 1) {
      const option = optionIn(this.#word(at), among, others);
      if (option !== undefined)
        this.#tell(at, "literal", this.#word(at).startsWith(option) ? option : longOf(this.#word(at)));
    }
  }

  #started(from: number, starts: ReadonlySet<string>): void {
    const at = this.#words.findIndex((word, n) => n >= from && optionIn(word, starts) !== undefined);
    if (at >= 0) this.#run(at, this.#words.length);
  }

  #strict(from: number, program: Program): void {
    for (let at = from + 1; at < this.#words.length && this.#word(at) !== "--"; at += 1) {
      const word = this.#word(at);
      if (isOption(word) && !isFlag(word, program)) this.#tell(at, "literal", longOf(word));
    }
  }

  /** REACH-1: finds the options that are passed on to a script, because their effect is unknown. */
  #passed(from: number, isBehindDashes: boolean): void {
    const first = isBehindDashes ? this.#words.indexOf("--", from) : from;
    for (let at = first + 1; first >= 0 && at < this.#words.length; at += 1)
      if (isOption(this.#word(at))) this.#tell(at, "literal", longOf(this.#word(at)));
  }

  /** REACH-1: finds a file from which the program reads further words, such as options, which the command does not show. */
  #lists(from: number): void {
    for (let at = from + 1; at < this.#words.length; at += 1)
      if (this.#word(at).startsWith("@")) this.#tell(at, "literal");
  }

  /** REACH-1: finds files outside the folder, also in the value of an option (`--file=/x`) and in a list. */
  #elsewhere(from: number): void {
    for (let at = from + 1; at < this.#words.length; at += 1)
      if (/(?:^|[=,])[/~]|(?:^|[/=,])\.\.(?:[/,]|$)/.test(this.#word(at))) this.#tell(at, "literal");
  }

  #files(from: number): void {
    for (let at = from + 1; at < this.#words.length; at += 1) {
      const parts = this.#word(at).split("=");
      const isHere = this.#isAmongLater && !this.#word(at).startsWith("/");
      if (isHere || parts.some((part) => tellingNames(part).length > 0)) this.#tell(at, "literal");
    }
  }

  #operands(from: number, program: Program, most: number): void {
    let seen = 0;
    for (let at = from + 1; at < this.#words.length; at += 1) {
      const word = this.#word(at);
      if (isOption(word) && takesNext(word, program)) at += 1;
      else if (!isOption(word) && (seen += 1) > most) this.#tell(at, "present");
    }
  }

  #word(at: number): string {
    return this.#words[at] ?? "";
  }

  #run(from: number, to: number): void {
    for (let at = from; at < Math.min(to, this.#words.length); at += 1)
      this.found.push({ at, need: "literal", isRun: true });
  }

  #tell(at: number, need: Reach["need"], option?: string): void {
    if (at < this.#words.length) this.found.push({ at, need, ...(option !== undefined && { option }) });
  }
}

/** The beginning `--name=` of an option with an attached value. */
const longOf = (word: string): string | undefined => /^--[^=]+=/.exec(word)?.[0];
