// Past approvals
// What a rule could see of an approval, and how that was answered: kept when the approval itself is removed.
//
//   Owns:          the shape, the row, how much of an input stays.
//   Does not own:  how long rows stay (sweep), trying rules on them (reading/rule-trial).
//   Decided in:    docs/decisions/0073-rules-are-tried-on-what-was-removed.md.
//
// PAST-APPROVALS-1. A removed approval leaves one row, which holds all that a rule looks at: a trial says of it what it said
//     of the approval. Where none are kept, none is written.
// PAST-APPROVALS-2. A longer input does not stay, nor does one that is kept apart or damaged: a trial says that a person answers.
// PAST-APPROVALS-3. Of a workspace so many stay as a trial looks at, the newest: more would serve nobody, and would take the room
//     of what comes. Which go is found when what is kept is measured.

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

/** How many a workspace has, and a trial looks at. */
export const PAST_MAX = 100_000;
/** Characters of an input. */
const INPUT_MAX = 4_096;

/** An approval as rules see it, and what became of it. */
export interface PastApproval extends AskedCall {
  readonly approvalId: string;
  readonly state: string;
  readonly by?: string;
  readonly outcome?: ApprovalContext["outcome"];
  /** When it ended, ms. Rows of before lack it. */
  readonly closedAt?: number;
}

/** What stands beside an approval. */
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

/** What a person answered, here or at the client; undefined if nobody did. */
export function answeredBy({ state, by = "", outcome }: PastApproval): "allow" | "deny" | undefined {
  const said = state === "withdrawn" ? outcome : state;
  if (isByRule(by) || isModels(by)) return undefined;
  return said === "approved" ? "allow" : said === "denied" ? "deny" : undefined;
}

/** Writes the row of an approval that is about to go, unless it has one. */
export function keepPast(layer: Layer, workspace: string, past: PastApproval): void {
  const key = keys.pastApproval(past.at, workspace, past.sessionId, past.approvalId);
  if (layer.get(key) === undefined) layer.set(key, shortened(past));
}

function shortened({ input, shell, ...past }: PastApproval): PastApproval {
  const isShort = input && "text" in input && input.text.length <= INPUT_MAX;
  return isShort ? { ...past, input, ...defined({ shell }) } : past;
}
