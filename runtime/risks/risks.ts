// Risks
// Finds the rows of the table of risks that fit an input, and where in the input.
//
//   Owns:          searching the words of a command, paths and addresses; the order of the marks.
//   Does not own:  the rows of the table (table.ts), comparing words (commands.ts), texts that hide something (disguises.ts), the
//                  lines of a file's new text (lines.ts), cutting a command into words (machines/rules).
//
// RISKS-1. A risk mark is only a hint, and shows what was found in the input. A call without a mark may still do harm.
// RISKS-2. Quoted text is searched for risks, too, and so is text after `;`, `|` and `&&`: a mark too many is better than a
//     missing mark.
// RISKS-3. In every text of an input the engine marks invisible characters, and letters that look like others. In a command or
//     an address it also marks the text after a wide gap.
// RISKS-4. Each line that a call adds to a file, and each line given to a tool that is not a shell, is read as a command. If the
//     line has a risk, the mark names the line.

import { isFields } from "../../machines/json.ts";
import { resolved } from "../../machines/rules/path-match.ts";
import { isAbout, isChanging, subjectsOf } from "../../machines/rules/subject.ts";
import { inCommands, inTogether, partsIn, soughtOf, togetherOf } from "./commands.ts";
import { disguisesIn } from "./disguises.ts";
import { linesOf, risksOfLines } from "./lines.ts";
import { EVERYWHERE, OUTSIDE, type Risk, riskOf, RISKS, UNREAD } from "./table.ts";

export type { Risk } from "./table.ts";

/** The risk marks of a call. @param cwd the session's folder, if known. @returns the marks; grave marks come first. */
export function risksOf(tool: string, input: unknown, cwd: string | undefined): readonly Risk[] {
  const found = [
    ...disguisesIn(tool, input),
    ...ofSubject(tool, input, cwd),
    ...risksOfLines(linesOf(tool, input)),
  ];
  // Several texts of a call may show the same risk. The risk is listed once, for the first of these texts.
  return graveFirst(found.filter(({ id }, n) => found.findIndex((each) => each.id === id) === n));
}

function ofSubject(tool: string, input: unknown, cwd: string | undefined): readonly Risk[] {
  const { own, commands, paths } = subjectsOf(tool, input);
  const ofCommands = commands.flatMap((each) => ofCommand(each, cwd));
  if (own?.about === "command") return [...ofCommands, ...withoutSandbox(input)];
  const address = isAbout(tool) === undefined && isFields(input) ? input["url"] : undefined;
  return [
    ...ofCommands,
    ...paths.flatMap((path) => ofPath(path, isChanging(tool), cwd)),
    ...(typeof address === "string" ? ofAddress(address) : []),
  ];
}

/** The risks of input fields that switch the client's sandbox off. */
const withoutSandbox = (input: unknown): readonly Risk[] =>
  RISKS.filter(({ field }) => field !== undefined && isFields(input) && input[field] === true).map((row) =>
    riskOf(row, `${row.field ?? ""}: true`),
  );

const graveFirst = (risks: readonly Risk[]): readonly Risk[] =>
  risks.toSorted((a, b) => rankOf([a]) - rankOf([b]));

/** How urgent a call is by its risks: 0 for a grave risk, 1 for other risks, 2 for no risk. */
export function rankOf(risks: readonly Pick<Risk, "level">[]): number {
  if (risks.some(({ level }) => level === "high")) return 0;
  return risks.length > 0 ? 1 : 2;
}

const ROWS = RISKS.map((row) => ({
  row,
  patterns: (row.commands ?? []).map(soughtOf),
  together: row.together && togetherOf(row.together),
}));

function ofCommand(command: string, cwd: string | undefined): readonly Risk[] {
  const parts = partsIn(command);
  if (!parts) return [riskOf(UNREAD, "")];
  const words = [...new Set(parts.all.flatMap((part) => part.words))];
  const rows = ROWS.flatMap(({ row, patterns, together }) => {
    const found =
      inCommands(patterns, parts) ??
      (together && inTogether(together, parts)) ??
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

/** The path in a word of a command: the word itself, or the value of a flag. */
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

/** An address without its scheme: user, machine and path, in the form that the table's patterns match. */
const withoutScheme = (address: string): string => address.trim().replace(/^[a-z][a-z\d+.-]*:(?=\/\/)/i, "");
