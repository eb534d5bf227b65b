// Answers
// Counts how approvals were answered: by whom, how soon, for which tools, agents and projects, on which days.
//
//   Owns:          which answers are counted in which table, and the order of the rows.
//   Does not own:  finding the approvals (asked-before), which approvals are behind one number (counted), showing the counts.
//
// FIGURES-ANSWERS-1. Each table counts an approval once: as answered by a person through Signalbox, by a person at the client,
//     by a rule or the policy, by a model, or by nobody, or as still waiting.
// FIGURES-ANSWERS-2. A wait is the time from the request for an approval to a person's answer through Signalbox. An approval
//     whose wait is unknown does not count for the waits.
// FIGURES-ANSWERS-3. At most 100,000 approvals are read. The result says if there are older ones. (checked by review: a test
//     of so many takes too long)

import { defined } from "../../../machines/index.ts";
import type { PastApproval } from "../../rows/past-approvals.ts";
import { type AskedBefore, askedBefore, type AskedScope } from "../asked-before.ts";
import type { Reader } from "../reader.ts";
import type { Among } from "../scope.ts";
import { type AfterDenials, afterDenials, FOLLOWED } from "./after-denial.ts";
import {
  type AnswersTable,
  type CountedApproval,
  type CountedWish,
  type Ender,
  enderOf,
  isWished,
  ROW_NAMES,
  saidOf,
  TABLES,
  toldOf,
} from "./counted.ts";

export type { AnswersTable } from "./counted.ts";

export interface Waits {
  readonly count: number;
  /**
   * The time within which 50 % (`p50`) or 90 % (`p90`) of the waits ended, ms; 0 if there was no wait. Absent if the waits are
   * those of several engines.
   */
  readonly p50?: number;
  readonly p90?: number;
  readonly longest: number;
}

export interface AnswersRow extends Readonly<Record<Ender, number>> {
  /** What the row counts: a day (UTC), a tool, a project's folder, an agent's type, or who answered. */
  readonly name: string;
  readonly asked: number;
  readonly allowed: number;
  readonly denied: number;
  readonly waitMs: Waits;
}

export interface Answers {
  readonly since: number;
  readonly until?: number;
  readonly all: AnswersRow;
  /** At most 100 rows in each table: days newest first, the rows of other tables by the number of approvals, most first. */
  readonly tables: Readonly<Record<AnswersTable, readonly AnswersRow[]>>;
  /** What followed the denials of the whole time, even if the caller wants the approvals of only one row. */
  readonly afterDenials: AfterDenials;
  /** The approvals that the selected number counts, newest first; absent if the caller selects no number. */
  readonly items?: readonly CountedApproval[];
  /** True if there are older approvals that were not read. */
  readonly more: boolean;
}

export type AnswersWish = AskedScope & Among & CountedWish;

const LOOKED_AT_MAX = 100_000;
const ROWS_MAX = 100;
/**
 * A table has at most this many rows with names of their own. Approvals with further names are counted together in the row
 * OTHERS.
 */
const NAMES_MAX = 10_000;
const OTHERS = "(others)";

/**
 * Counts the approvals that were requested since `since`.
 * @param workspaces the workspaces to count in, if the scope names none.
 */
export async function answers(
  reader: Reader,
  { workspaces, workspace, since, until, ...wish }: AnswersWish,
): Promise<Answers> {
  const scope: AskedScope = { since, ...defined({ workspace, until }) };
  const isOfSeveral = workspaces !== undefined && scope.workspace === undefined;
  const scopes = isOfSeveral ? workspaces.map((workspace) => ({ ...scope, workspace })) : [scope];
  const all = new Count("all");
  const newest = new Newest(wish.limit ?? 0);
  const tables = new Map(TABLES.map((table) => [table, new Map<string, Count>()]));
  let more = false;
  for await (const past of askedIn(reader, scopes)) {
    if (all.asked >= LOOKED_AT_MAX) {
      more = true;
      break;
    }
    if (!isWished(past, wish)) continue;
    all.add(past);
    newest.add(past);
    for (const [table, rows] of tables) countOf(rows, ROW_NAMES[table](past)).add(past);
  }
  const told = (table: AnswersTable): readonly AnswersRow[] =>
    [...(tables.get(table)?.values() ?? [])]
      .sort(table === "day" ? laterFirst : oftenFirst)
      .slice(0, ROWS_MAX)
      .map((count) => count.row());
  return {
    since,
    ...defined({ until }),
    all: all.row(),
    tables: {
      day: told("day"),
      tool: told("tool"),
      by: told("by"),
      project: told("project"),
      agent: told("agent"),
    },
    afterDenials: await afterDenialsIn(reader, scopes),
    ...(wish.limit !== undefined && { items: newest.told() }),
    more,
  };
}

async function* askedIn(reader: Reader, scopes: readonly AskedScope[]): AsyncGenerator<AskedBefore> {
  for (const scope of scopes) yield* askedBefore(reader, scope);
}

async function afterDenialsIn(reader: Reader, scopes: readonly AskedScope[]): Promise<AfterDenials> {
  const sum = { denials: 0, same: 0, changed: 0, other: 0, none: 0 };
  for (const scope of scopes) {
    const found = await afterDenials(reader, scope);
    for (const name of FOLLOWED) sum[name] += found[name];
  }
  return sum;
}

function countOf(rows: Map<string, Count>, name: string): Count {
  const counted = rows.has(name) || rows.size < NAMES_MAX ? name : OTHERS;
  const known = rows.get(counted) ?? new Count(counted);
  rows.set(counted, known);
  return known;
}

export const compared = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
const laterFirst = (one: Count, other: Count): number => compared(other.name, one.name);
const oftenFirst = (one: Count, other: Count): number =>
  other.asked - one.asked || compared(one.name, other.name);

/**
 * Collects the newest approvals by their times, because approvals come in order only within one workspace, and stored ones come
 * before removed ones.
 */
class Newest {
  readonly #max: number;
  #items: AskedBefore[] = [];

  constructor(max: number) {
    this.#max = max;
  }

  add(past: AskedBefore): void {
    if (this.#max > 0 && this.#items.push(past) >= 2 * this.#max) this.#cut();
  }

  #cut(): void {
    this.#items = this.#items.toSorted((one, other) => other.at - one.at).slice(0, this.#max);
  }

  told(): readonly CountedApproval[] {
    this.#cut();
    return this.#items.map(toldOf);
  }
}

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
    const { at, closedAt } = past;
    const ender = enderOf(past);
    this.asked += 1;
    this.#enders[ender] += 1;
    const said = saidOf(past);
    if (said === "allowed") this.#allowed += 1;
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
