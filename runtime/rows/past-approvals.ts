// Past approvals
// Stores the answer to each removed approval, and the facts that rules read of the approval. A trial of a rule (`rules test`)
// reads these rows to find out how the rule would have answered.
//
//   Owns:          the shape and the row of a past approval, how much of a tool input is stored.
//   Does not own:  how long past approvals are kept (sweep), trying rules on past approvals (reading/rule-trial).
//   Decided in:    docs/decisions/0073-rules-are-tried-on-what-was-removed.md.
//
// PAST-APPROVALS-1. When an approval is removed, one row with everything that a rule reads of the approval is written. So a trial
//     gives the same result as before the removal. An engine whose settings say that it keeps no past approvals writes no such
//     row.
// PAST-APPROVALS-2. An input that is longer than 4,096 characters, in a blob, or damaged is not stored. In a trial, rules
//     answer no approval whose input is not stored.
// PAST-APPROVALS-3. Of each workspace, only the newest past approvals are kept, as many as a trial reads. A sweep removes the
//     others (measuring).

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

/** A past approval, with what rules read of it, and how it ended. */
export interface PastApproval extends AskedCall {
  readonly approvalId: string;
  readonly state: string;
  readonly by?: string;
  readonly outcome?: ApprovalContext["outcome"];
  /** When the approval ended, ms; absent in a row that an older version wrote. */
  readonly closedAt?: number;
}

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

/** What a person answered, in Signalbox or at the client; undefined if no person answered. */
export function answeredBy({ state, by = "", outcome }: PastApproval): "allow" | "deny" | undefined {
  const said = state === "withdrawn" ? outcome : state;
  if (isByRule(by) || isModels(by)) return undefined;
  return said === "approved" ? "allow" : said === "denied" ? "deny" : undefined;
}

export function keepPast(layer: Layer, workspace: string, past: PastApproval): void {
  const key = keys.pastApproval(past.at, workspace, past.sessionId, past.approvalId);
  if (layer.get(key) === undefined) layer.set(key, shortened(past));
}

function shortened({ input, shell, ...past }: PastApproval): PastApproval {
  const isShort = input && "text" in input && input.text.length <= INPUT_MAX;
  return isShort ? { ...past, input, ...defined({ shell }) } : past;
}
