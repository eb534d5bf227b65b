// Counted
// Decides in which rows and columns of the tables of answers an approval counts, and so which approvals are behind one number.
//
//   Owns:          who ended an approval, in which row of each table an approval counts, which approvals a query selects, how an
//                  approval is shown.
//   Does not own:  the counting (answers), finding approvals (asked-before).
//
// FIGURES-COUNTED-1. A query that names a table, a row and a column selects exactly the approvals that the number in this row and
//     column counts.

import { defined, isByRule, isModels, MAIN_AGENT } from "../../../machines/index.ts";
import { RefusedError } from "../../errors/errors.ts";
import { answeredBy, type PastApproval } from "../../rows/past-approvals.ts";
import type { AtPeer } from "../../rows/views.ts";
import type { AskedBefore } from "../asked-before.ts";
import { bad, pick, type Parameters } from "../parameters.ts";

/** Who ended an approval. `client`: a person, in the client's own dialog. `waiting`: nobody yet. */
export const ENDERS = ["person", "client", "rule", "model", "nobody", "waiting"] as const;
export type Ender = (typeof ENDERS)[number];

export const TABLES = ["day", "tool", "by", "project", "agent"] as const;
export type AnswersTable = (typeof TABLES)[number];

const COLUMNS = ["allowed", "denied", ...ENDERS] as const;

/** Selects the approvals of a row, of a column, or of the cell where a row and a column meet. */
export interface CountedWish {
  readonly table?: AnswersTable;
  /** The name of the row; only together with a table. */
  readonly name?: string;
  readonly column?: (typeof COLUMNS)[number];
  /** How many of the selected approvals are shown, newest first; if left out, none. */
  readonly limit?: number;
}

export interface CountedApproval extends AtPeer {
  readonly approvalId: string;
  readonly workspace: string;
  readonly sessionId: string;
  readonly tool: string;
  readonly askedAt: number;
  /** How the tool input begins. */
  readonly input: string;
  readonly state: string;
  readonly by?: string;
  readonly outcome?: "approved" | "denied";
  readonly closedAt?: number;
}

const INPUT_SHOWN = 300;
const LIMIT_MAX = 1_000;

/** FIGURES-ANSWERS-1: who ended an approval. */
export function enderOf(past: PastApproval): Ender {
  if (past.state === "pending") return "waiting";
  if (isByRule(past.by ?? "")) return "rule";
  if (isModels(past.by ?? "")) return "model";
  if (answeredBy(past) === undefined) return "nobody";
  return past.state === "withdrawn" ? "client" : "person";
}

/** The answer to an approval, whoever gave it, in Signalbox or at the client; undefined if there was no answer. */
export function saidOf(past: PastApproval): "allowed" | "denied" | undefined {
  const said = enderOf(past) === "client" ? past.outcome : past.state;
  return said === "approved" ? "allowed" : said === "denied" ? "denied" : undefined;
}

/** For each table, the name of the row that counts an approval. */
export const ROW_NAMES: Readonly<Record<AnswersTable, (past: PastApproval) => string>> = {
  day: ({ at }) => new Date(at).toISOString().slice(0, 10),
  tool: ({ tool }) => tool,
  by: (past) => (enderOf(past) === "person" || enderOf(past) === "rule" ? (past.by ?? "") : enderOf(past)),
  project: ({ cwd = "" }) => cwd,
  agent: ({ agentId, agentType }) => (agentId === MAIN_AGENT ? MAIN_AGENT : (agentType ?? "subagent")),
};

export function isWished(past: PastApproval, { table, name, column }: CountedWish): boolean {
  if (table !== undefined && ROW_NAMES[table](past) !== name) return false;
  return column === undefined || column === saidOf(past) || column === enderOf(past);
}

/** Reads from the parameters of a query which approvals it selects. @throws RefusedError BAD_PARAMETER, BAD_LIMIT */
export function wishIn(given: Parameters): CountedWish {
  const { table: named, name, column: asked, limit } = pick(given, "table", "name", "column", "limit");
  const table = TABLES.find((each) => each === named);
  const column = COLUMNS.find((each) => each === asked);
  if (named !== undefined && !table) throw bad("table", `is none of ${TABLES.join(", ")}`);
  if (asked !== undefined && !column) throw bad("column", `is none of ${COLUMNS.join(", ")}`);
  if ((table === undefined) !== (name === undefined)) throw bad("name", "must be given together with table");
  const most = limit === undefined ? undefined : Number(limit);
  if (most !== undefined && !(Number.isInteger(most) && most >= 1 && most <= LIMIT_MAX))
    throw new RefusedError(
      "BAD_LIMIT",
      `limit is not between 1 and ${LIMIT_MAX}.`,
      "Ask for fewer.",
      "limit",
    );
  return defined({ table, name, column, limit: most });
}

export function toldOf(past: AskedBefore): CountedApproval {
  const { approvalId, workspace, sessionId, tool, at: askedAt, input, state, by, outcome, closedAt } = past;
  const text = input && "text" in input ? input.text.slice(0, INPUT_SHOWN) : "";
  const ended = {
    by,
    outcome: outcome === "approved" || outcome === "denied" ? outcome : undefined,
    closedAt,
  };
  return { approvalId, workspace, sessionId, tool, askedAt, input: text, state, ...defined(ended) };
}
