// Answers
// How approvals were answered: by whom, how soon, for which tools, agents and projects, on which days.
//
//   Owns:          what is counted, and the order of the counts.
//   Does not own:  finding the approvals (asked-before), showing the counts.
//
// FIGURES-ANSWERS-1. Each approval is counted once in each table: as answered by a person here, at the client, by a
//     rule, by a model, by nobody, or as waiting.
// FIGURES-ANSWERS-2. A wait is the time from the request to a person's answer here. An unknown wait is not counted.
// FIGURES-ANSWERS-3. At most 100,000 approvals are read, and the result says if there are more. (by review: a test of so
//     many takes too long)

import { isModels, MAIN_AGENT, isByRule } from "../../../machines/index.ts";
import { answeredBy, type PastApproval } from "../../rows/past-approvals.ts";
import { askedBefore, type AskedScope } from "../asked-before.ts";
import type { Reader } from "../reader.ts";
import type { Among } from "../scope.ts";
import { type AfterDenials, afterDenials } from "./after-denial.ts";

/** Who ended an approval. `client`: a person in the client's own dialog. */
type Ender = "person" | "client" | "rule" | "model" | "nobody" | "waiting";

export interface Waits {
  readonly count: number;
  /** Percentiles: of 100 waits, 50 or 90 were no longer, ms; 0 if there are none. */
  readonly p50: number;
  readonly p90: number;
  readonly longest: number;
}

export interface AnswersRow extends Readonly<Record<Ender, number>> {
  /** A day (UTC), a tool, a project's folder, an agent's type, or who answered. */
  readonly name: string;
  readonly asked: number;
  readonly allowed: number;
  readonly denied: number;
  readonly waitMs: Waits;
}

export const TABLES = ["day", "tool", "by", "project", "agent"] as const;
export type AnswersTable = (typeof TABLES)[number];

export interface Answers {
  readonly since: number;
  readonly all: AnswersRow;
  /** At most 100 rows each: days newest first, the other tables by how many approvals were asked for. */
  readonly tables: Readonly<Record<AnswersTable, readonly AnswersRow[]>>;
  readonly afterDenials: AfterDenials;
  /** True if there are older approvals. */
  readonly more: boolean;
}

const LOOKED_AT_MAX = 100_000;
const ROWS_MAX = 100;
/** After so many names, further names are counted as OTHERS. */
const NAMES_MAX = 10_000;
const OTHERS = "(others)";

const NAMES: Readonly<Record<AnswersTable, (past: PastApproval) => string>> = {
  day: ({ at }) => new Date(at).toISOString().slice(0, 10),
  tool: ({ tool }) => tool,
  by: (past) => (enderOf(past) === "person" || enderOf(past) === "rule" ? (past.by ?? "") : enderOf(past)),
  project: ({ cwd = "" }) => cwd,
  agent: ({ agentId, agentType }) => (agentId === MAIN_AGENT ? MAIN_AGENT : (agentType ?? "subagent")),
};

/** Counts what was asked since `since`. @param scope.workspaces are used if the scope names no workspace. */
export async function answers(
  reader: Reader,
  { workspaces, ...scope }: AskedScope & Among,
): Promise<Answers> {
  const isOfSeveral = workspaces !== undefined && scope.workspace === undefined;
  const scopes = isOfSeveral ? workspaces.map((workspace) => ({ ...scope, workspace })) : [scope];
  const all = new Count("all");
  const tables = new Map(TABLES.map((table) => [table, new Map<string, Count>()]));
  let more = false;
  for await (const past of askedIn(reader, scopes)) {
    if (all.asked >= LOOKED_AT_MAX) {
      more = true;
      break;
    }
    all.add(past);
    for (const [table, rows] of tables) countOf(rows, NAMES[table](past)).add(past);
  }
  const told = (table: AnswersTable): readonly AnswersRow[] =>
    [...(tables.get(table)?.values() ?? [])]
      .sort(table === "day" ? laterFirst : oftenFirst)
      .slice(0, ROWS_MAX)
      .map((count) => count.row());
  const { since } = scope;
  return {
    since,
    all: all.row(),
    tables: {
      day: told("day"),
      tool: told("tool"),
      by: told("by"),
      project: told("project"),
      agent: told("agent"),
    },
    afterDenials: await afterDenialsIn(reader, scopes),
    more,
  };
}

async function* askedIn(reader: Reader, scopes: readonly AskedScope[]): AsyncGenerator<PastApproval> {
  for (const scope of scopes) yield* askedBefore(reader, scope);
}

async function afterDenialsIn(reader: Reader, scopes: readonly AskedScope[]): Promise<AfterDenials> {
  const sum = { denials: 0, same: 0, changed: 0, other: 0, none: 0 };
  for (const scope of scopes) {
    const found = await afterDenials(reader, scope);
    for (const name of typedKeys(sum)) sum[name] += found[name];
  }
  return sum;
}

const typedKeys = (sum: Record<keyof AfterDenials, number>): readonly (keyof AfterDenials)[] =>
  Object.keys(sum) as (keyof AfterDenials)[];

/** FIGURES-ANSWERS-1. */
function enderOf(past: PastApproval): Ender {
  if (past.state === "pending") return "waiting";
  if (isByRule(past.by ?? "")) return "rule";
  if (isModels(past.by ?? "")) return "model";
  if (answeredBy(past) === undefined) return "nobody";
  return past.state === "withdrawn" ? "client" : "person";
}

function countOf(rows: Map<string, Count>, name: string): Count {
  const counted = rows.has(name) || rows.size < NAMES_MAX ? name : OTHERS;
  const known = rows.get(counted) ?? new Count(counted);
  rows.set(counted, known);
  return known;
}

const compared = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
const laterFirst = (one: Count, other: Count): number => compared(other.name, one.name);
const oftenFirst = (one: Count, other: Count): number =>
  other.asked - one.asked || compared(one.name, other.name);

class Count {
  readonly name: string;
  asked = 0;
  #allowed = 0;
  #denied = 0;
  readonly #enders: Record<Ender, number> = {
    person: 0,
    client: 0,
    rule: 0,
    model: 0,
    nobody: 0,
    waiting: 0,
  };
  readonly #waits: number[] = [];

  constructor(name: string) {
    this.name = name;
  }

  add(past: PastApproval): void {
    const { state, outcome, at, closedAt } = past;
    const ender = enderOf(past);
    this.asked += 1;
    this.#enders[ender] += 1;
    const said = ender === "client" ? outcome : state;
    if (said === "approved") this.#allowed += 1;
    if (said === "denied") this.#denied += 1;
    if (ender === "person" && closedAt !== undefined) this.#waits.push(Math.max(0, closedAt - at));
  }

  row(): AnswersRow {
    const sorted = this.#waits.toSorted((one, other) => one - other);
    const of = (share: number): number => sorted[Math.ceil(sorted.length * share) - 1] ?? 0;
    const { name, asked } = this;
    return {
      name,
      asked,
      allowed: this.#allowed,
      denied: this.#denied,
      ...this.#enders,
      waitMs: { count: sorted.length, p50: of(0.5), p90: of(0.9), longest: of(1) },
    };
  }
}
