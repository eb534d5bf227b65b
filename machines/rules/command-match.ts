// Command match
// Whether a rule's pattern is about a shell command.
//
//   Owns:          patterns of words: `git log *`, the prefix `git log`.
//   Does not own:  cutting a command into words (shell-words), who else may answer (ruling).
//
// COMMAND-MATCH-1. To allow, the whole text must be one plain command whose words are the pattern's, from the first on.
//     `*` stands for any characters of one word; as the last word, for any further words or none.
// COMMAND-MATCH-2. To deny or to ask, it is enough that the pattern stands anywhere: in a part of a compound command,
//     behind other words, in quotes, under another folder's name or in other letters of case.
// COMMAND-MATCH-3. A command that cannot be read whole is neither: it is unsure.

import { looseParts, patternWords, plainWords, type Word } from "./shell-words.ts";

export type Fit = "yes" | "no" | "unsure";

/** The words a command must have, and whether more may follow. */
export interface CommandPattern {
  readonly words: readonly Word[];
  readonly isOpen: boolean;
}

/** @returns undefined for a text that is no pattern: no plain command could ever match it. */
export function commandGlob(text: string): CommandPattern | undefined {
  const words = patternWords(text);
  if (!words || words.length === 0) return undefined;
  const isOpen = words.length > 1 && isAny(words.at(-1));
  return { words: isOpen ? words.slice(0, -1) : words, isOpen };
}

/** The same for a text whose words must come first. */
export function commandPrefix(text: string): CommandPattern | undefined {
  const words = plainWords(text);
  return words && { words: words.map((word) => [word]), isOpen: true };
}

const isAny = (word: Word | undefined): boolean => word?.length === 2 && word.every((piece) => piece === "");

/** True if the pattern says which program it is about: only then may it allow. */
export function namesProgram({ words: [first] }: CommandPattern): boolean {
  return first?.length === 1 && first[0] !== "" && first[0]?.includes("=") === false;
}

/** A command, read in both ways. */
export interface CommandRead {
  readonly words: readonly string[] | undefined;
  readonly parts: readonly (readonly string[])[] | undefined;
}

export const readCommand = (command: string): CommandRead => ({
  words: plainWords(command),
  parts: looseParts(command.toLowerCase()),
});

/** COMMAND-MATCH-1 */
export function allowsCommand(pattern: CommandPattern, { words }: CommandRead): boolean {
  return words !== undefined && matchesFrom(pattern, words, 0);
}

/** COMMAND-MATCH-2 */
export function concernsCommand(pattern: CommandPattern, { parts }: CommandRead): Fit {
  if (!parts) return "unsure";
  const words = pattern.words.map((word) => word.map((piece) => piece.toLowerCase()));
  const folded = { ...pattern, words };
  const isFound = parts.some((part) => part.some((_, from) => isAt(folded, part, from)));
  return isFound ? "yes" : "no";
}

function isAt(pattern: CommandPattern, part: readonly string[], from: number): boolean {
  if (matchesFrom(pattern, part, from)) return true;
  const program = part[from] ?? "";
  const name = program.slice(program.lastIndexOf("/") + 1);
  return name !== program && matchesFrom(pattern, [name, ...part.slice(from + 1)], 0);
}

function matchesFrom({ words, isOpen }: CommandPattern, given: readonly string[], from: number): boolean {
  const left = given.length - from;
  if (isOpen ? left < words.length : left !== words.length) return false;
  return words.every((word, n) => fits(word, given[from + n] ?? ""));
}

/** True if a text consists of the pieces in their order, with anything between them. */
export function fits(pieces: Word, text: string): boolean {
  const [first = "", ...rest] = pieces;
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last))
    return false;
  let at = first.length;
  const end = text.length - last.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, at);
    if (found < 0 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return true;
}
