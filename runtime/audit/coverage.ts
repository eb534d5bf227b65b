// Coverage
// Counts what allowed the calls that ran: a person, a rule, a policy, a model, the client, nothing that is known, or nothing at
// all, because the call was denied.
//
//   Owns:          what allowed each call, adding up the calls by what allowed them.
//   Does not own:  finding the calls (the caller), showing the sums (cli).
//
// COVERAGE-1. Each call that ran is counted once in each table (by session, by agent, by day), under one cause: what allowed
//     the call.
// COVERAGE-2. An answer counts as the cause of a call only if the answer allowed the call. No answer is the cause of a call that
//     ran after a denial.

import { BY_POLICY, isByRule, isModels } from "../../machines/index.ts";

/**
 * What allowed a call. `client`: the client's own dialog, rules or mode. `denied`: nothing; the call ran although it was denied.
 */
export type Cause = "person" | "rule" | "policy" | "model" | "client" | "denied" | "none";

export interface Covered {
  readonly sessionId: string;
  readonly agentId?: string | undefined;
  readonly createdAt: number;
  readonly execution: string;
  readonly executedAfterDenial?: true | undefined;
  readonly approval?: { readonly state: string; readonly by?: string | undefined } | undefined;
  readonly permission?: { readonly decision: string } | undefined;
  readonly allowedBy?: unknown;
}

export const COVERAGE_TABLES = ["session", "agent", "day"] as const;
export type CoverageTable = (typeof COVERAGE_TABLES)[number];

export type CoverageRow = Readonly<Record<Cause, number>> & { readonly name: string; readonly ran: number };

export interface Coverage {
  readonly all: CoverageRow;
  /** The rows of each table. The row with the most calls without a known cause comes first. */
  readonly tables: Readonly<Record<CoverageTable, readonly CoverageRow[]>>;
}

const RAN: readonly string[] = ["processing", "completed", "failed"];

const NAMES: Readonly<Record<CoverageTable, (call: Covered) => string>> = {
  session: ({ sessionId }) => sessionId,
  agent: ({ sessionId, agentId = "main" }) => `${sessionId}/${agentId}`,
  day: ({ createdAt }) => new Date(createdAt).toISOString().slice(0, 10),
};

export function coverageOf(calls: Iterable<Covered>): Coverage {
  const all = emptyRow("all");
  const tables = {
    session: new Map<string, Row>(),
    agent: new Map<string, Row>(),
    day: new Map<string, Row>(),
  };
  for (const call of calls) {
    if (!RAN.includes(call.execution) && call.executedAfterDenial !== true) continue;
    const cause = causeOf(call);
    const rows = COVERAGE_TABLES.map((table) => {
      const name = NAMES[table](call);
      const row = tables[table].get(name) ?? emptyRow(name);
      tables[table].set(name, row);
      return row;
    });
    for (const row of [all, ...rows]) {
      row.ran += 1;
      row[cause] += 1;
    }
  }
  const sorted = (rows: ReadonlyMap<string, Row>): readonly Row[] =>
    [...rows.values()].sort((one, other) => other.none - one.none || other.ran - one.ran);
  return {
    all,
    tables: { session: sorted(tables.session), agent: sorted(tables.agent), day: sorted(tables.day) },
  };
}

type Row = { -readonly [K in keyof CoverageRow]: CoverageRow[K] };

const emptyRow = (name: string): Row => ({
  ...{ name, ran: 0, person: 0, rule: 0, policy: 0 },
  ...{ model: 0, client: 0, denied: 0, none: 0 },
});

function causeOf({ approval, permission, allowedBy, executedAfterDenial }: Covered): Cause {
  if (executedAfterDenial === true || approval?.state === "denied") return "denied";
  if (approval?.state === "approved" && approval.by !== undefined) return answerer(approval.by);
  return permission?.decision === "accept" || allowedBy !== undefined ? "client" : "none";
}

function answerer(by: string): Cause {
  if (by.startsWith(BY_POLICY)) return "policy";
  if (isByRule(by)) return "rule";
  return isModels(by) ? "model" : "person";
}
