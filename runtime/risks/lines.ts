// Lines
// Finds a single dangerous line among many, in the text that a call writes to a file, and in the input of a tool that is not a
// shell.
//
//   Owns:          which lines of a call's input are checked, checking each line as if it were a shell command.
//   Does not own:  the risks (table.ts), comparing the words of a command (commands.ts).

import { type Fields, isFields } from "../../machines/json.ts";
import { isAbout, isRunBySh, WRITING } from "../../machines/rules/subject.ts";
import {
  inCommands,
  inTogether,
  isProgramAt,
  type Part,
  type Parts,
  partsIn,
  placeOfProgram,
  soughtOf,
  togetherOf,
} from "./commands.ts";
import { type Risk, riskOf, type RiskRow, RISKS, UNREAD } from "./table.ts";

export interface LineOf {
  /** The number of the line in its text, from 1. */
  readonly number: number;
  readonly text: string;
}

/** How many lines are checked at most: more than anybody reads before answering. */
const LINES_MAX = 20_000;
const READ_MAX = 2_000;
const FOUND_MAX = 120;

const PROSE: ReadonlySet<string> = new Set([
  ...["Agent", "AskUserQuestion", "ExitPlanMode", "Skill", "Task", "TodoWrite", "WebFetch", "WebSearch"],
]);

/**
 * The lines of a call in which risks are searched: the lines that it adds to a file, or, for a tool whose text is not a shell
 * command, all lines.
 */
export function linesOf(tool: string, input: unknown): readonly LineOf[] {
  if (!isFields(input)) return [];
  if (WRITING.has(tool)) return addedBy(input);
  return isAbout(tool) !== "path" && !isRunBySh(tool) && !PROSE.has(tool)
    ? Object.values(input).flatMap((value) => linesIn(typeof value === "string" ? value : ""))
    : [];
}

function addedBy(input: Fields): readonly LineOf[] {
  const { content, new_source: source, edits } = input;
  const each = [input, ...(Array.isArray(edits) ? edits.filter(isFields) : [])];
  return [
    ...each.flatMap(({ old_string: before, new_string: after }) => added(textOf(before), textOf(after))),
    ...linesIn(textOf(content)),
    ...linesIn(textOf(source)),
  ];
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

function added(before: string, after: string): readonly LineOf[] {
  const old = new Set(before.split("\n"));
  return linesIn(after).filter(({ text }) => !old.has(text));
}

const linesIn = (text: string): readonly LineOf[] =>
  text === "" ? [] : text.split("\n").map((line, n) => ({ number: n + 1, text: line }));

/**
 * The grave rows of the table, in the form in which lines are compared with them. A pattern of one word matches only the
 * program of a command. In the row `data`, the expression `line` replaces the patterns of several words.
 */
const ROWS = RISKS.filter(({ level }) => level === "high").map((row) => {
  const { id, line, commands = [], together } = row;
  const isByLine = line !== undefined && id === "data";
  const several = isByLine ? [] : commands.filter((each) => each.includes(" ") && !each.startsWith("*"));
  return {
    row,
    several: several.map(soughtOf),
    single: commands.filter((each) => !each.includes(" ")).map(soughtOf),
    together: together && togetherOf(together),
  };
});

/** Matches the words that the rows search for. A line without any of these words is not parsed. */
const TELLING = new RegExp(
  `(?<![\\w])(?:${[...new Set(ROWS.flatMap(({ row }) => wordsOf(row)))].join("|")})(?![\\w-])`.replaceAll(
    "*",
    "[\\w.]*",
  ),
  "i",
);

function wordsOf({ commands = [], together = [] }: RiskRow): readonly string[] {
  const programs = commands.map((each) => each.split(" ")[0] ?? "").filter((name) => name !== "*");
  return [...programs, ...(together[0] ?? [])];
}

/**
 * Looks for risks in lines (RISKS-4).
 * @returns a mark for each row of the table that some line fits, with the first such line.
 */
export function risksOfLines(lines: readonly LineOf[]): readonly Risk[] {
  const found = new Map<string, Risk>();
  let read = 0;
  for (const { number, text } of lines.slice(0, LINES_MAX)) {
    const add = (row: RiskRow | typeof UNREAD, words: string): void => {
      if (!found.has(row.id)) found.set(row.id, riskOf(row, atLine(number, words, lines.length)));
    };
    for (const { row } of ROWS) {
      const shown = row.line?.exec(text)?.[0];
      if (shown !== undefined) add(row, shown);
    }
    if (!TELLING.test(text)) continue;
    read += 1;
    const parts = read > READ_MAX ? undefined : partsIn(text.trim().replace(/^[@-]+/, ""));
    if (!parts) add(UNREAD, "");
    else
      for (const each of ROWS) {
        const shown = shownIn(each, parts);
        if (shown !== undefined) add(each.row, shown);
      }
  }
  return [...found.values()];
}

const atLine = (number: number, words: string, count: number): string =>
  (count > 1 ? `line ${number}: ${words}` : words).slice(0, FOUND_MAX);

function shownIn({ several, single, together }: (typeof ROWS)[number], parts: Parts): string | undefined {
  const byName = (): string | undefined => {
    for (const part of parts.all) {
      const at = Math.max(0, firstOf(part));
      if (isProgramAt(part, at, single)) return part.words.slice(at, at + 3).join(" ");
    }
    return undefined;
  };
  return inCommands(several, parts) ?? byName() ?? (together && inTogether(together, parts));
}

/** The index of a part's first program; `sudo`, which runs another program, also counts as a program. */
const firstOf = (part: Part): number => {
  const at = part.words.indexOf("sudo");
  return at >= 0 && at <= placeOfProgram(part) ? at : placeOfProgram(part);
};
