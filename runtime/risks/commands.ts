// Risks in commands
// Decides whether a row of the table of risks fits a command, by the command's words.
//
//   Owns:          comparing the words of a command with the patterns of the table; the form in which commands and patterns are
//                  compared.
//   Does not own:  the patterns themselves (table.ts), cutting a command into words (machines/rules).

import { fits } from "../../machines/rules/command-pattern.ts";
import { looseParts, type Word } from "../../machines/rules/shell-words.ts";
import { type Part, partOf } from "../../machines/rules/part.ts";

export type { Part } from "../../machines/rules/part.ts";

export interface Parts {
  readonly all: readonly Part[];
  /** Every word of the commands, in lower case and without its folder. */
  readonly names: ReadonlySet<string>;
}

/** The commands in a text. @returns undefined for a text that is too long or nested to read. */
export function partsIn(text: string): Parts | undefined {
  const all = looseParts(text)?.map(partOf);
  return all && { all, names: new Set(all.flatMap(({ names }) => names)) };
}

type Wanted = { readonly pieces: Word } | { readonly letter: string };

/** A pattern of the table, in the form that is compared: its program, and the words that must follow. */
export interface Sought {
  readonly program: Word;
  readonly others: readonly Wanted[];
}

const piecesOf = (text: string): Word => text.toLowerCase().split("*");

/**
 * How a word of a pattern is compared. A flag of one letter is also found within a longer flag (`-f` in `-xf`); upper and lower
 * case differ then.
 */
const wantedOf = (text: string): Wanted =>
  /^-\w$/.test(text) ? { letter: text.slice(1) } : { pieces: piecesOf(text) };

export function soughtOf(pattern: string): Sought {
  const [program = "", ...others] = pattern.split(" ");
  return { program: piecesOf(program), others: others.map(wantedOf) };
}

/** Sets of programs. A text fits if it contains one program of each set. */
export type Together = readonly (readonly Word[])[];

export const togetherOf = (sets: readonly (readonly string[])[]): Together =>
  sets.map((set) => set.map(piecesOf));

export function inCommands(patterns: readonly Sought[], { all, names }: Parts): string | undefined {
  for (const sought of patterns) {
    const { program } = sought;
    if (program.length === 1 && !names.has(program[0] ?? "")) continue;
    for (const part of all) {
      const found = foundIn(part, sought);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/**
 * Searches a part for a pattern. Only the program's first place matters: words that do not follow this place follow no later one
 * either.
 * @returns the words of the part that match the pattern, with an ellipsis for the words between them.
 */
function foundIn(part: Part, { program, others }: Sought): string | undefined {
  const { words, names } = part;
  const from = words.findIndex((_, n) => fits(program, names[n] ?? ""));
  const at = from < 0 ? undefined : placesOf(part, from, others);
  if (!at) return undefined;
  const places = [from, ...at].toSorted((a, b) => a - b);
  return places
    .map((n, i) => (i > 0 && n > (places[i - 1] ?? n) + 1 ? "… " : "") + (words[n] ?? ""))
    .join(" ");
}

function placesOf(part: Part, from: number, others: readonly Wanted[]): readonly number[] | undefined {
  const places: number[] = [];
  let after = from;
  for (const wanted of others) {
    const isFlag = "letter" in wanted || wanted.pieces[0]?.startsWith("-") === true;
    let at = isFlag ? from + 1 : after + 1;
    while (at < part.words.length && !isLike(wanted, part, at)) at += 1;
    if (at >= part.words.length) return undefined;
    places.push(at);
    if (!isFlag) after = at;
  }
  return places;
}

function isLike(wanted: Wanted, { words, folded }: Part, at: number): boolean {
  if ("pieces" in wanted) return fits(wanted.pieces, folded[at] ?? "");
  const word = words[at] ?? "";
  return /^-\w+$/.test(word) && word.includes(wanted.letter);
}

export function inTogether(sets: Together, { all }: Parts): string | undefined {
  const programs = all.flatMap((part) => {
    const at = placeOfProgram(part);
    return at < 0 ? [] : [{ name: part.names[at] ?? "", shown: nameOf(part.words[at] ?? "") }];
  });
  const found = sets.map((set) => programs.find(({ name }) => set.some((each) => fits(each, name)))?.shown);
  return found.includes(undefined) ? undefined : found.join(" … ");
}

const nameOf = (program: string): string => program.slice(program.lastIndexOf("/") + 1);

export const isProgramAt = ({ names }: Part, at: number, programs: readonly Sought[]): boolean =>
  programs.some(({ program }) => fits(program, names[at] ?? ""));

/** The index of the program's name in a part; -1 for a part without a program. */
export const placeOfProgram = ({ words }: Part): number => words.findIndex((word) => !isBefore(word));

/** True for a word that may come before a program: `sudo` and the like, a variable, a flag, or a step's name (`RUN`). */
const isBefore = (word: string): boolean => /^(?:sudo|env|exec|nohup|time|RUN|\w+:|\w+=.*|-.*)$/.test(word);
