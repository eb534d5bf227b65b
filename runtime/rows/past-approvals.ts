// Past approvals
// Stores of a removed approval what rules read of it, and its answer. Trials of rules read these rows.
//
//   Owns:          the shape and the row, how much of a tool input is stored.
//   Does not own:  how long the rows are kept (sweep), trying rules on them (reading/rule-trial).
//   Decided in:    docs/decisions/0073-rules-are-tried-on-what-was-removed.md.
//
// PAST-APPROVALS-1. A removed approval leaves one row with everything that a rule reads. So a trial gives the same result as
//     before the removal. An engine that is set to keep no such rows writes none.
// PAST-APPROVALS-2. A long input is not stored, nor one that was a blob or damaged. In a trial such an approval goes to a
//     person.
// PAST-APPROVALS-3. A workspace keeps only its newest rows, as many as a trial reads. Surplus rows are found when the size of
//     the rows is measured.

import {
  type ApprovalContext,
  type AskedCall,
  defined,
  isModels,
  isByRule,
  type SessionId,
} from "../../machines/index.ts";
import { keys } from "./keys.ts";
import type { Layer } from "./overlay.ts";

/** How many past approvals a workspace keeps, which is also how many a trial reads. */
export const PAST_MAX = 100_000;
const INPUT_MAX = 4_096;

/** An approval as rules see it, with its answer or other end. */
export interface PastApproval extends AskedCall {
  readonly approvalId: string;
  readonly state: string;
  readonly by?: string;
  readonly outcome?: ApprovalContext["outcome"];
  /** When the approval ended, ms. Rows of older versions lack it. */
  readonly closedAt?: number;
}

/** What rules read of an approval from other rows. */
export interface Beside {
  readonly sessionId: SessionId;
  readonly agentType: string | undefined;
  readonly cwd: string | undefined;
}

export function pastApproval(
  { id, tool, input, shell, agentId, ambiguous, askedAt: at, by, outcome, closedAt }: ApprovalContext,
  state: string,
  { sessionId, ...beside }: Beside,
): PastApproval {
  return {
    at,
    approvalId: id,
    sessionId,
    tool,
    agentId,
    isAmbiguous: ambiguous,
    state,
    ...defined({ input, shell, ...beside, by, outcome, closedAt }),
  };
}

/** What a person answered, here or at the client; undefined if no person answered. */
export function answeredBy({ state, by = "", outcome }: PastApproval): "allow" | "deny" | undefined {
  const said = state === "withdrawn" ? outcome : state;
  if (isByRule(by) || isModels(by)) return undefined;
  return said === "approved" ? "allow" : said === "denied" ? "deny" : undefined;
}

/** Writes the row for an approval that is removed next, unless the row exists. */
export function keepPast(layer: Layer, workspace: string, past: PastApproval): void {
  const key = keys.pastApproval(past.at, workspace, past.sessionId, past.approvalId);
  if (layer.get(key) === undefined) layer.set(key, shortened(past));
}

function shortened({ input, shell, ...past }: PastApproval): PastApproval {
  const isShort = input && "text" in input && input.text.length <= INPUT_MAX;
  return isShort ? { ...past, input, ...defined({ shell }) } : past;
}
