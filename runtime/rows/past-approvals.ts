// Past approvals
// The part of an approval that rules read, with its answer, kept when the approval itself is removed.
//
//   Owns:          the shape, the row, how much of an input is kept.
//   Does not own:  how long rows are kept (sweep), trying rules on them (reading/rule-trial).
//   Decided in:    docs/decisions/0073-rules-are-tried-on-what-was-removed.md.
//
// PAST-APPROVALS-1. A removed approval leaves one row with everything that a rule reads, so a trial gives the same result as
//     before the removal. An engine that keeps no such rows writes none.
// PAST-APPROVALS-2. A longer input is not kept, nor an input that was a blob or damaged. A trial answers such an approval by a
//     person.
// PAST-APPROVALS-3. A workspace keeps as many of the newest rows as a trial reads, because more rows would only take space.
//     The surplus is found when the size of the rows is measured.

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

/** The most past approvals of a workspace, which is also the most that a trial reads. */
export const PAST_MAX = 100_000;
const INPUT_MAX = 4_096;

/** An approval as rules see it, with its end. */
export interface PastApproval extends AskedCall {
  readonly approvalId: string;
  readonly state: string;
  readonly by?: string;
  readonly outcome?: ApprovalContext["outcome"];
  /** When it ended, ms. Older rows lack it. */
  readonly closedAt?: number;
}

/** Facts about an approval from other rows. */
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

/** The answer of a person, here or at the client; undefined if no person answered. */
export function answeredBy({ state, by = "", outcome }: PastApproval): "allow" | "deny" | undefined {
  const said = state === "withdrawn" ? outcome : state;
  if (isByRule(by) || isModels(by)) return undefined;
  return said === "approved" ? "allow" : said === "denied" ? "deny" : undefined;
}

/** Writes the row of an approval that is about to be removed, unless the row exists. */
export function keepPast(layer: Layer, workspace: string, past: PastApproval): void {
  const key = keys.pastApproval(past.at, workspace, past.sessionId, past.approvalId);
  if (layer.get(key) === undefined) layer.set(key, shortened(past));
}

function shortened({ input, shell, ...past }: PastApproval): PastApproval {
  const isShort = input && "text" in input && input.text.length <= INPUT_MAX;
  return isShort ? { ...past, input, ...defined({ shell }) } : past;
}
