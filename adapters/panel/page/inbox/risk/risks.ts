// Risks
// Which rows of the table an input shows, and where in it.
//
//   Owns:          looking: at the words of a command, at paths, at addresses.
//   Does not own:  the rows (table.ts), cutting a command into words (machines/rules).
//
// RISKS-1. A mark says what was found and is no more than a hint: a call without one has not been found harmless.
// RISKS-2. Quoted text is read, too, and so is what stands behind `;`, `|` and `&&`: rather one mark too many.

import { fits } from "../../../../../machines/rules/command-match.ts";
import { resolved } from "../../../../../machines/rules/path-match.ts";
import { looseParts } from "../../../../../machines/rules/shell-words.ts";
import { isAbout } from "../../../../../machines/rules/subject.ts";
import { EVERYWHERE, type Level, OUTSIDE, type RiskRow, RISKS, UNREAD, WRITING } from "./table.ts";

export interface Risk {
  readonly id: string;
  readonly level: Level;
  readonly label: string;
  readonly why: string;
  /** The words of the input that show it. */
  readonly found: string;
}

type Parts = readonly (readonly string[])[];

/** @param cwd the folder the session works in, where it is known. @returns the grave ones first. */
export function risksOf(tool: string, input: unknown, cwd: string | undefined): readonly Risk[] {
  const about = isAbout(tool);
  const text = (field: string): string | undefined => textIn(input, field);
  if (about === "command") return ofCommand(text("command") ?? "", cwd);
  if (about === "path") {
    const path = text("file_path") ?? text("notebook_path") ?? text("path");
    return path === undefined ? [] : ofPath(path, WRITING.has(tool), cwd);
  }
  const address = text("url");
  return address === undefined ? [] : ofAddress(address);
}

function textIn(input: unknown, field: string): string | undefined {
  if (typeof input !== "object" || input === null || !Object.hasOwn(input, field)) return undefined;
  const value: unknown = Reflect.get(input, field);
  return typeof value === "string" ? value : undefined;
}

const graveFirst = (risks: readonly Risk[]): readonly Risk[] =>
  risks.toSorted((a, b) => rankOf([a]) - rankOf([b]));

/** How urgent a call is by its risks: 0 for a grave one, 2 for none. */
export function rankOf(risks: readonly Pick<Risk, "level">[]): number {
  if (risks.some(({ level }) => level === "high")) return 0;
  return risks.length > 0 ? 1 : 2;
}

const riskOf = ({ id, level, label, why }: Omit<Risk, "found">, found: string): Risk => ({
  ...{ id, level, label, why },
  found,
});

function ofCommand(command: string, cwd: string | undefined): readonly Risk[] {
  const parts = looseParts(command);
  if (!parts) return [riskOf(UNREAD, "")];
  const words = [...new Set(parts.flat())];
  const rows = RISKS.flatMap((row) => {
    const found =
      inCommands(row, parts) ??
      inTogether(row, parts) ??
      words.find((word) => row.words?.test(word) ?? false);
    return found === undefined ? [] : [riskOf(row, found)];
  });
  const kept = rows.filter(({ id }) => id !== "removes" || !rows.some((row) => row.id === "delete"));
  const outside = words.flatMap(pathIn).find((path) => isOutside(path, cwd));
  return graveFirst([
    ...kept,
    ...(outside === undefined ? [] : [riskOf({ ...OUTSIDE, level: "some" }, outside)]),
  ]);
}

function inCommands({ commands = [] }: RiskRow, parts: Parts): string | undefined {
  for (const pattern of commands)
    for (const part of parts) {
      const found = foundIn(part, pattern.split(" "));
      if (found !== undefined) return found;
    }
  return undefined;
}

/** @returns the words of the part that are the pattern's, with an ellipsis for those between them. */
function foundIn(part: readonly string[], [program = "", ...others]: readonly string[]): string | undefined {
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

function placesOf(
  part: readonly string[],
  from: number,
  others: readonly string[],
): readonly number[] | undefined {
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

function inTogether({ together }: RiskRow, parts: Parts): string | undefined {
  if (!together) return undefined;
  const programs = parts.map((part) => nameOf(part.find((word) => !isBefore(word)) ?? ""));
  const found = together.map((set) => programs.find((name) => set.some((each) => isLike(each, name))));
  return found.includes(undefined) ? undefined : found.join(" … ");
}

/** What stands before a program: who runs it, and with which variables. */
const isBefore = (word: string): boolean => /^(?:sudo|env|exec|nohup|time|\w+=.*|-.*)$/.test(word);

/** The path in a word of a command: itself, or what a flag is set to. */
function pathIn(word: string): readonly string[] {
  const path = /^(?:-{1,2}[\w-]+=|\w+=)?((?:~|\.{0,2}\/|\.\.$).*|[^=:]*\/\.\.(?:\/.*)?)$/.exec(word)?.[1];
  return path === undefined || path === "" || /[\s|^$()]/.test(path) ? [] : [path];
}

function isOutside(path: string, cwd: string | undefined): boolean {
  if (EVERYWHERE.some((each) => each.test(path)) || cwd === undefined) return false;
  if (path.startsWith("~")) return true;
  const folder = resolved(cwd);
  const names = resolved(path.startsWith("/") ? path : `${cwd}/${path}`);
  return !folder.every((name, n) => names[n] === name);
}

function ofPath(path: string, isWritten: boolean, cwd: string | undefined): readonly Risk[] {
  const rows = RISKS.filter(
    ({ words, written }) => (words?.test(path) ?? false) || (isWritten && (written?.test(path) ?? false)),
  );
  const outside: readonly Risk[] = isOutside(path, cwd)
    ? [riskOf({ ...OUTSIDE, level: isWritten ? "high" : "some" }, path)]
    : [];
  return graveFirst([...rows.map((row) => riskOf(row, path)), ...outside]);
}

const ofAddress = (address: string): readonly Risk[] =>
  graveFirst(
    RISKS.filter(
      (row) => (row.words?.test(address) ?? false) || (row.address?.test(withoutScheme(address)) ?? false),
    ).map((row) => riskOf(row, address)),
  );

/** Its user, machine and path, as the table looks at them. */
const withoutScheme = (address: string): string => address.trim().replace(/^[a-z][a-z\d+.-]*:(?=\/\/)/i, "");
