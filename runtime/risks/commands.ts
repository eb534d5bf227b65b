// Finding in commands
// Finds a row of the table of risks in the words of a command.
//
//   Owns:          comparing the words of a command with patterns; the form in which both are compared, made only once.
//   Does not own:  the patterns (table.ts), cutting a command into words (machines/rules).

import { fits } from "../../machines/rules/command-pattern.ts";
import { looseParts, type Word } from "../../machines/rules/shell-words.ts";
import { type Part, partOf } from "../../machines/rules/part.ts";

export type { Part } from "../../machines/rules/part.ts";

export interface Parts {
  readonly all: readonly Part[];
  /** Every word in lower case, without its folder. */
  readonly names: ReadonlySet<string>;
}

/** @returns undefined for a text that is too much to read. */
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

/** Finds a flag of one letter also among others (`-f` in `-xf`), in its own letter case. */
const wantedOf = (text: string): Wanted =>
  /^-\w$/.test(text) ? { letter: text.slice(1) } : { pieces: piecesOf(text) };

export function soughtOf(pattern: string): Sought {
  const [program = "", ...others] = pattern.split(" ");
  return { program: piecesOf(program), others: others.map(wantedOf) };
}

/** Sets of programs; one program of each set must be there. */
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

/** @returns the words of the part that match the pattern, with an ellipsis for the words between them. */
function foundIn(part: Part, { program, others }: Sought): string | undefined {
  const { words, names } = part;
  for (let from = 0; from < words.length; from += 1) {
    if (!fits(program, names[from] ?? "")) continue;
    const at = placesOf(part, from, others);
    if (!at) continue;
    const places = [from, ...at].toSorted((a, b) => a - b);
    return places
      .map((n, i) => (i > 0 && n > (places[i - 1] ?? n) + 1 ? "… " : "") + (words[n] ?? ""))
      .join(" ");
  }
  return undefined;
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

/** True for a place with one of these programs. */
export const isProgramAt = ({ names }: Part, at: number, programs: readonly Sought[]): boolean =>
  programs.some(({ program }) => fits(program, names[at] ?? ""));

/** @returns -1 for a part without a program. */
export const placeOfProgram = ({ words }: Part): number => words.findIndex((word) => !isBefore(word));

/** Words before a program: the user, variables, or in a file the name of its step. */
const isBefore = (word: string): boolean => /^(?:sudo|env|exec|nohup|time|RUN|\w+:|\w+=.*|-.*)$/.test(word);
