// Finding in commands
// Where the words of a command are those of a row of the table.
//
//   Owns:          comparing words with patterns.
//   Does not own:  the patterns (table.ts), cutting a command into words (machines/rules).

import { fits } from "../../machines/rules/command-pattern.ts";
import type { RiskRow } from "./table.ts";

export type Part = readonly string[];
export type Parts = readonly Part[];

/** @returns the words that show a row's command. */
export function inCommands({ commands = [] }: Pick<RiskRow, "commands">, parts: Parts): string | undefined {
  for (const pattern of commands)
    for (const part of parts) {
      const found = foundIn(part, pattern.split(" "));
      if (found !== undefined) return found;
    }
  return undefined;
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
  if (/^-\w$/.test(wanted)) return /^-\w+$/.test(word) && word.includes(wanted.slice(1));
  return fits(wanted.toLowerCase().split("*"), word.toLowerCase());
}

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
