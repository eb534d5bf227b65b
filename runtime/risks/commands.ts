// Finding in commands
// Where the words of a command are those of a row of the table.
//
//   Owns:          comparing words with patterns.
//   Does not own:  the patterns (table.ts), cutting a command into words (machines/rules).

import { fits } from "../../machines/rules/command-pattern.ts";
import { remembered } from "../../machines/rules/remembered.ts";
import type { RiskRow } from "./table.ts";

export type Part = readonly string[];
export type Parts = readonly Part[];

/** @returns the words that show a row's command. */
export function inCommands({ commands = [] }: Pick<RiskRow, "commands">, parts: Parts): string | undefined {
  if (commands.length === 0) return undefined;
  const names = namesIn(parts);
  for (const pattern of commands) {
    const { words, program } = cutUp(pattern);
    // Most patterns end here.
    if (program !== undefined && !names.has(program)) continue;
    for (const part of parts) {
      const found = foundIn(part, words);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** A pattern of the table in words, and its program in small letters, where that has one name. */
const cutUp = remembered((pattern) => {
  const words = pattern.split(" ");
  const [program = ""] = words;
  const isOpen = program.includes("*") || program.startsWith("-");
  return { words, program: isOpen ? undefined : program.toLowerCase() };
});

const namesOfParts = new WeakMap<Parts, ReadonlySet<string>>();

function namesIn(parts: Parts): ReadonlySet<string> {
  const known = namesOfParts.get(parts);
  if (known) return known;
  const names = new Set(parts.flatMap((part) => part.map((word) => nameOf(word).toLowerCase())));
  namesOfParts.set(parts, names);
  return names;
}

/** @returns the words of the part that are the pattern's, with an ellipsis for those between them. */
export function foundIn(part: Part, [program = "", ...others]: readonly string[]): string | undefined {
  for (let from = 0; from < part.length; from += 1) {
    if (!isLike(program, nameOf(part[from] ?? ""))) continue;
    const at = placesOf(part, from, others);
    if (!at) continue;
    const places = [from, ...at].toSorted((a, b) => a - b);
    return places
      .map((n, i) => (i > 0 && n > (places[i - 1] ?? n) + 1 ? "… " : "") + (part[n] ?? ""))
      .join(" ");
  }
  return undefined;
}

function placesOf(part: Part, from: number, others: readonly string[]): readonly number[] | undefined {
  const places: number[] = [];
  let after = from;
  for (const wanted of others) {
    const isFlag = wanted.startsWith("-");
    const start = isFlag ? from + 1 : after + 1;
    const at = part.findIndex((word, n) => n >= start && isLike(wanted, word));
    if (at < 0) return undefined;
    places.push(at);
    if (!isFlag) after = at;
  }
  return places;
}

/** A flag of one letter is found among others; its case counts. */
function isLike(wanted: string, word: string): boolean {
  const { flag, pieces } = wantedOf(wanted);
  if (flag !== undefined) return /^-\w+$/.test(word) && word.includes(flag);
  return fits(pieces, word.toLowerCase());
}

const wantedOf = remembered((wanted: string) => ({
  flag: /^-\w$/.test(wanted) ? wanted.slice(1) : undefined,
  pieces: wanted.toLowerCase().split("*"),
}));

const nameOf = (program: string): string => program.slice(program.lastIndexOf("/") + 1);

/** @returns the programs that show a row's programs together. */
export function inTogether({ together }: RiskRow, parts: Parts): string | undefined {
  if (!together) return undefined;
  const programs = parts.map((part) => nameOf(part[placeOfProgram(part)] ?? ""));
  const found = together.map((set) => programs.find((name) => set.some((each) => isLike(each, name))));
  return found.includes(undefined) ? undefined : found.join(" … ");
}

/** @returns -1 in a part without a program. */
export const placeOfProgram = (part: Part): number => part.findIndex((word) => !isBefore(word));

/** What stands before a program: who runs it, with which variables; in a file, the name of its step. */
const isBefore = (word: string): boolean => /^(?:sudo|env|exec|nohup|time|RUN|\w+:|\w+=.*|-.*)$/.test(word);
