// Command match
// Decides whether a rule's pattern matches a shell command.
//
//   Owns:          comparing a command with a pattern: strictly for rules that allow, broadly for rules that deny or ask.
//   Does not own:  reading patterns (command-pattern), cutting a command into words (shell-words), what a word makes a program do
//                  (reach), options between the words of a pattern (sight), which rule answers (ruling).
//
// COMMAND-MATCH-1. A rule to allow matches only if the whole text is one plain command that begins with the pattern's words. `*`
//     matches any characters of one word; as the last word it matches any further words or none.
// COMMAND-MATCH-2. For a rule to deny or to ask, the pattern may match anywhere: in a part of a compound command, after other
//     words, in quotes, in another folder, or in another letter case.
// COMMAND-MATCH-3. If part of a command cannot be read, no rule's match with the command is certain: it is "unsure".
// COMMAND-MATCH-4. Some words make a program do more than usual (reach). To allow a command with such a word, the pattern
//     must contain the word itself: neither a `*` nor the open end of a prefix matches it.

import { type CommandPattern, type Fit, fits, isLiteral } from "./command-pattern.ts";
import { type Part, partOf } from "./part.ts";
import { type Reach, reachesOf } from "./reach.ts";
import { looseParts, plainWords } from "./shell-words.ts";
import { seenFrom, type Spot } from "./sight.ts";

/** A command, parsed strictly and loosely. The command is parsed in each way when a rule first needs the result. */
export interface CommandRead {
  readonly words: readonly string[] | undefined;
  readonly reaches: readonly Reach[];
  readonly parts: readonly Part[] | undefined;
  /** The places of each word that may name a program, under that name in lower case. */
  readonly places: ReadonlyMap<string, readonly Spot[]>;
}

export const readCommand = (command: string, cwd?: string): CommandRead => new Reading(command, cwd);

class Reading implements CommandRead {
  readonly words: readonly string[] | undefined;
  readonly #command: string;
  readonly #cwd: string | undefined;
  #reaches: readonly Reach[] | undefined;
  #loose: { readonly parts: readonly Part[] | undefined } | undefined;
  #places: ReadonlyMap<string, readonly Spot[]> | undefined;

  constructor(command: string, cwd: string | undefined) {
    this.words = plainWords(command);
    this.#command = command;
    this.#cwd = cwd;
  }

  get reaches(): readonly Reach[] {
    return (this.#reaches ??= this.words ? reachesOf(this.words, this.#cwd) : []);
  }

  get parts(): readonly Part[] | undefined {
    this.#loose ??= { parts: looseParts(this.#command)?.map(partOf) };
    return this.#loose.parts;
  }

  get places(): ReadonlyMap<string, readonly Spot[]> {
    return (this.#places ??= placesOf(this.parts ?? []));
  }
}

function placesOf(parts: readonly Part[]): ReadonlyMap<string, readonly Spot[]> {
  const places = new Map<string, Spot[]>();
  for (const part of parts)
    for (const [from, name] of part.names.entries())
      for (const each of new Set([name, part.folded[from] ?? name])) {
        const spots = places.get(each);
        if (spots) spots.push({ part, from });
        else places.set(each, [{ part, from }]);
      }
  return places;
}

export function allowsCommand(pattern: CommandPattern, read: CommandRead): boolean {
  const { words } = read;
  if (words === undefined || !matches(pattern, words)) return false;
  return read.reaches.every((reach) => isNamed(pattern, reach));
}

function isNamed({ words }: CommandPattern, { at, need, option }: Reach): boolean {
  const word = words[at];
  if (!word) return false;
  if (need === "present" || isLiteral(word)) return true;
  return option !== undefined && word[0]?.startsWith(option) === true;
}

/** True for a pattern that can never allow a call, because the pattern does not fix the name of what is run (COMMAND-MATCH-4). */
export function leavesOpen(pattern: CommandPattern): boolean {
  // This text is put in place of each `*`. No program has a command or an option of this name, so it reads like a word of
  // unknown meaning.
  const any = "any-word";
  const words = pattern.words.map((pieces) => pieces.join(any));
  return reachesOf(pattern.isOpen ? [...words, any] : words).some(
    ({ at, isRun }) => isRun && !isLiteral(pattern.words[at]),
  );
}

const SPOTS_MAX = 16;

export function concernsCommand(pattern: CommandPattern, { parts, places }: CommandRead): Fit {
  if (!parts) return "unsure";
  const [first = []] = pattern.folded;
  const isAny = !isLiteral(first);
  const spots = isAny ? parts.flatMap(spotsOf) : (places.get(first[0] ?? "") ?? []);
  if (spots.length === 0) return "no";
  if (spots.some((spot) => matchesAt(pattern, spot))) return "yes";
  // A pattern that names no program may skip options only at the beginning of a part of the command, where the program is.
  const likely = isAny ? spots.filter(({ from }) => from === 0) : spots;
  const seen = likely.slice(0, SPOTS_MAX).map((spot) => seenFrom(pattern, spot));
  if (seen.includes("yes")) return "yes";
  return seen.includes("unsure") || (likely.length > SPOTS_MAX && pattern.words.length > 1) ? "unsure" : "no";
}

const spotsOf = (part: Part): readonly Spot[] => part.words.map((_, from) => ({ part, from }));

function matchesAt({ folded: [first = [], ...rest], isOpen }: CommandPattern, { part, from }: Spot): boolean {
  const { folded, names } = part;
  const left = folded.length - from - 1;
  if (isOpen ? left < rest.length : left !== rest.length) return false;
  const isProgram = fits(first, folded[from] ?? "") || fits(first, names[from] ?? "");
  return isProgram && rest.every((word, n) => fits(word, folded[from + 1 + n] ?? ""));
}

function matches({ words, isOpen }: CommandPattern, given: readonly string[]): boolean {
  if (isOpen ? given.length < words.length : given.length !== words.length) return false;
  return words.every((word, n) => fits(word, given[n] ?? ""));
}
