// Address
// What the page's address says about the answers view: the days, the table, and the pressed number whose approvals are listed.
//
//   Owns:          reading and writing the days, the table and the number in the address.
//   Does not own:  how a person chooses what to see (answers.tsx), counting approvals (the engine).
//
// ANSWERS-ADDRESS-1. After a reload, after the browser's Back and through a shared link, the answers view shows the same days,
//     table and list.

import type { AnswersTable } from "../../../../runtime/reading/figures/answers.ts";
import { filterNamed, useFilters } from "../route.ts";

const DAY_MS = 86_400_000;
export const RANGES = { "7d": "7 days", "30d": "30 days", "90d": "90 days", own: "Custom…" } as const;
export type Range = keyof typeof RANGES;
const DAYS: Readonly<Record<Exclude<Range, "own">, number>> = { "7d": 7, "30d": 30, "90d": 90 };
export const TABLES: Readonly<Record<AnswersTable, string>> = {
  day: "Day",
  tool: "Tool",
  by: "Who answered",
  project: "Project",
  agent: "Agent",
};
export const COLUMNS = {
  asked: "asked",
  allowed: "allowed",
  denied: "denied",
  person: "answered by a person here",
  client: "answered at the client",
  rule: "answered by a rule",
  model: "answered by a model",
  nobody: "answered by nobody",
  waiting: "waiting",
} as const;
export type Column = keyof typeof COLUMNS;

/** Names one number of the table by its column and row; without a row, the column's total. */
export interface NumberOf {
  readonly column: Column;
  readonly row?: { readonly table: AnswersTable; readonly name: string };
}

export interface Looked {
  readonly range: Range;
  /** The first day (UTC), as 2026-01-31; used only if the range is `own`. */
  readonly from: string;
  /** The last day, which is included. */
  readonly to: string;
  readonly table: AnswersTable;
  readonly list?: NumberOf;
}

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
const among = <Name extends string>(names: Readonly<Record<Name, string>>, text: string): Name | undefined =>
  (Object.keys(names) as Name[]).find((each) => each === text);

function read(): Looked {
  const [from, to] = [filterNamed("from"), filterNamed("to")];
  const column = among(COLUMNS, filterNamed("show"));
  const [table, name] = [among(TABLES, filterNamed("of")), filterNamed("name")];
  const row = table && name !== "" ? { row: { table, name } } : {};
  return {
    range: among(RANGES, filterNamed("range")) ?? "30d",
    from: isDay(from) ? from : dayOf(Date.now() - 29 * DAY_MS),
    to: isDay(to) ? to : dayOf(Date.now()),
    table: among(TABLES, filterNamed("by")) ?? "day",
    ...(column && { list: { column, ...row } }),
  };
}

/** What the address says, and a function that changes it without a new entry in the browser's history. */
export function useLooked(): readonly [Looked, (part: Partial<Looked>) => void] {
  const [looked, write] = useFilters(read);
  return [looked, (part) => write(queryOf({ ...looked, ...part }))];
}

/** The view's choices as filters of the page's address; a choice that is the default is empty, and so left out. */
function queryOf({ range, from, to, table, list }: Looked): Readonly<Record<string, string>> {
  const isOwn = range === "own";
  return {
    range: range === "30d" ? "" : range,
    from: isOwn ? from : "",
    to: isOwn ? to : "",
    by: table === "day" ? "" : table,
    show: list?.column ?? "",
    of: list?.row?.table ?? "",
    name: list?.row?.name ?? "",
  };
}

/** @param list the number whose approvals are listed; without it, no approvals are listed. */
export function hrefOfLooked({ list: _, ...looked }: Looked, list?: NumberOf): string {
  const said = Object.entries(queryOf({ ...looked, ...(list && { list }) })).filter(
    ([, value]) => value !== "",
  );
  const query = new URLSearchParams(said).toString();
  return query === "" ? "#/answers" : `#/answers?${query}`;
}

/** A stretch of time: its start and its end, ms. */
export interface Times {
  readonly since: number;
  readonly until?: number;
}

export function timesOf({ range, from, to }: Looked): Times {
  if (range !== "own") return { since: Date.now() - DAYS[range] * DAY_MS };
  return { since: Date.parse(from), until: Date.parse(to) + DAY_MS };
}

/** The chosen days in words, such as `in the last 30 days`. */
export const timeText = ({ range, from, to }: Looked): string =>
  range === "own" ? `from ${from} to ${to}` : `in the last ${RANGES[range]}`;

const DAYS_MAX = 100;

/** The days (UTC) of a stretch of time, oldest first; of a stretch of more than 100 days, the last 100. */
export function daysOf({ since, until = Date.now() }: Times): readonly string[] {
  const last = Math.floor((until - 1) / DAY_MS);
  const first = Math.max(Math.floor(since / DAY_MS), last - DAYS_MAX + 1);
  return Array.from({ length: Math.max(0, last - first + 1) }, (__, n) => dayOf((first + n) * DAY_MS));
}
