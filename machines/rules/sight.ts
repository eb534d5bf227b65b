// Sight
// Decides whether a rule to deny or to ask matches a command that has options between the words of the rule.
//
//   Owns:          skipping options between words; recognising a program's commands under other names and aliases.
//   Does not own:  which options take values (programs), cutting a text into commands (shell-words).
//
// SIGHT-1. Before each word of the rule that is not an option, the command may have options with their values: `git -C x push`
//     matches `git push`. An option in the rule matches anywhere after the program in the command, also with its letters apart
//     (`-r -f` for `-rf`) or in another order.
// SIGHT-2. The match of a rule and a command is unsure if it is not known whether an option in the command takes the next word
//     as its value, if an option is abbreviated, or if a command of the program may be an alias.
// SIGHT-3. The match of a rule and a command is unsure if too many options follow one another in the command.

import { type CommandPattern, type Fit, fits } from "./command-pattern.ts";
import { isOption, type Program, standsAlone, takesNext } from "./programs/program-row.ts";
import { programNamed } from "./programs/program-table.ts";
import type { Part } from "./part.ts";
import type { Word } from "./shell-words.ts";

const OPTIONS_MAX = 64;

/** A place in a command where a program may be named. */
export interface Spot {
  readonly part: Part;
  readonly from: number;
}

/**
 * Compares a rule's pattern with a command, from one word of the command on.
 * @param pattern its first word fits the program at that place.
 */
export function seenFrom({ folded, isOpen }: CommandPattern, spot: Spot): Fit {
  const behind = folded.slice(1);
  if (behind.length === 0) return "no";
  const sight = new Sight(spot);
  const operands = behind.filter((word) => !isOptionWord(word));
  const options = behind.filter(isOptionWord);
  const ends = sight.endsOf(operands);
  const flagged = ends.size === 0 ? [] : options.map((word) => sight.fitOf(word));
  if (ends.size === 0 || flagged.includes("no")) return sight.mayMean(operands) ? "unsure" : "no";
  const over = [...ends].filter(([at]) => isOpen || sight.isOver(at, options));
  if (over.length === 0) return "no";
  return over.some(([, certain]) => certain) && !flagged.includes("unsure") ? "yes" : "unsure";
}

const isOptionWord = ([first = "", ...rest]: Word): boolean =>
  first.startsWith("-") && (first.length > 1 || rest.length > 0);

/** How far the words of the rule may match: the places in the command, each with true if the match up to it is certain. */
type Ways = Map<number, boolean>;

class Sight {
  readonly #words: readonly string[];
  readonly #folded: readonly string[];
  readonly #from: number;
  readonly #program: Program;
  #isTooLong = false;

  constructor({ part: { words, folded }, from }: Spot) {
    this.#words = words;
    this.#folded = folded;
    this.#from = from;
    this.#program = programNamed(words[from] ?? "");
  }

  endsOf(operands: readonly Word[]): Ways {
    let ends: Ways = new Map([[this.#from + 1, true]]);
    for (const [n, operand] of operands.entries()) {
      const next: Ways = new Map();
      for (const [at, certain] of this.#pastOptions(ends))
        if (this.#isSame(operand, at, n === 0)) next.set(at + 1, (next.get(at + 1) ?? false) || certain);
      ends = next;
    }
    return ends;
  }

  #pastOptions(from: Ways): Ways {
    const reached: Ways = new Map(from);
    const add = (to: number, certain: boolean): unknown =>
      reached.set(to, (reached.get(to) ?? false) || certain);
    // The loop adds entries to the Map `reached`, and JavaScript visits these entries, too. So it skips several options in a
    // row.
    for (const [at] of reached) {
      const word = this.#words[at];
      if (word === undefined || !isOption(word)) continue;
      if (reached.size > OPTIONS_MAX) {
        this.#isTooLong = true;
        break;
      }
      const certain = reached.get(at) ?? false;
      const takes = takesNext(word, this.#program);
      const isKnown = takes || standsAlone(word, this.#program) || word === "--";
      if (!takes) add(at + 1, certain && isKnown);
      if (!isKnown || takes) add(at + 2, certain && isKnown);
    }
    return reached;
  }

  #isSame(operand: Word, at: number, isCommand: boolean): boolean {
    const word = this.#folded[at];
    if (word === undefined) return false;
    if (fits(operand, word)) return true;
    const same = isCommand ? this.#program.commands?.same : undefined;
    const [first = ""] = operand;
    return (
      same !== undefined && operand.length === 1 && (same.get(first) ?? first) === (same.get(word) ?? word)
    );
  }

  /** SIGHT-1, SIGHT-2: compares an option of the rule with the words of the command. */
  fitOf(option: Word): Fit {
    const [text = "", ...more] = option;
    const missing = new Set(more.length > 0 || text.startsWith("--") ? "" : text.slice(1));
    const isLetters = missing.size > 0;
    let isShortened = false;
    for (let at = this.#from + 1; at < this.#folded.length; at += 1) {
      const word = this.#folded[at] ?? "";
      if (!isOption(word)) continue;
      if (fits(option, word)) return "yes";
      if (!word.startsWith("--")) for (const letter of word) missing.delete(letter);
      else
        isShortened ||= word.length > 2 && more.length === 0 && text.startsWith(word.split("=")[0] ?? word);
      if (isLetters && missing.size === 0) return "yes";
    }
    return isShortened ? "unsure" : "no";
  }

  isOver(from: number, options: readonly Word[]): boolean {
    for (let at = from; at < this.#words.length; at += 1) {
      const word = this.#words[at] ?? "";
      if (!isOption(word)) return false;
      const isInRule = options.some((option) => fits(option, this.#folded[at] ?? ""));
      if (takesNext(word, this.#program)) at += 1;
      else if (!isInRule && !standsAlone(word, this.#program)) return false;
    }
    return true;
  }

  /**
   * SIGHT-2, SIGHT-3: true if the rule's command may be meant under another name: the word in its place is no command of the
   * program, so it may be an alias; or too many options come before it.
   */
  mayMean(operands: readonly Word[]): boolean {
    if (this.#isTooLong) return true;
    const { commands } = this.#program;
    if (!commands?.known || operands.length === 0 || !this.#isInFront()) return false;
    const { known, same } = commands;
    const places = [...this.#pastOptions(new Map([[this.#from + 1, true]])).keys()];
    const given = places.map((at) => this.#words[at] ?? "").filter((word) => word !== "" && !isOption(word));
    const isElsewhere = places.some((at) => this.#words[at]?.startsWith("--exec-path=") === true);
    return isElsewhere || (given.length > 0 && !given.some((word) => known.has(word) || same.has(word)));
  }

  /** True if every word read so far may come before a program's name: a user, an assignment, or a condition. */
  #isInFront(): boolean {
    return this.#words
      .slice(0, this.#from)
      .every(
        (word, n, all) =>
          isOption(word) ||
          isOption(all[n - 1] ?? "") ||
          /^(?:\w+\+?=.*|[\d.]+[smhd]?|!|if|then|elif|else|while|until|do|time|coproc)$/.test(word) ||
          programNamed(word).runs === "command",
      );
  }
}
