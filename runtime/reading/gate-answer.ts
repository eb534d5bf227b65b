// Gate answer
// What a waiting gate learns about its approval.
//
//   Owns:          which states of an approval allow a gate's call, and which deny it.
//   Does not own:  the states (machines/approval), what the gate's program does with the answer (adapters/gate).
//
// GATE-ANSWER-1. Only a durable decision that was given to this engine allows. An answer carries no decision for an
//     expired, a withdrawn or an unknown approval, nor for one whose end the source itself reported.
// GATE-ANSWER-2. An allow names the hash of the input that was allowed.
// GATE-ANSWER-3. If rules want several approvers, or certain approvers only, a gate without an answer denies.

import { defined } from "../../machines/index.ts";
import type { ApprovalView } from "../rows/views.ts";

export interface GateAnswer {
  readonly approvalId: string;
  readonly state: string;
  /** Absent while the approval waits, and if the gate must decide by itself. */
  readonly decision?: "allow" | "deny";
  readonly inputHash?: string;
  readonly updatedInput?: unknown;
  readonly message?: string;
  readonly interrupt?: boolean;
  readonly by?: string;
  /** The gate denies if it gets no answer, whatever its own settings are. */
  readonly closed?: "deny";
}

export function gateAnswer(id: string, view: ApprovalView): GateAnswer {
  const { state, demands, inputHash, observed, updatedInput, message, interrupt, by } = view;
  const answer: GateAnswer = {
    approvalId: id,
    state,
    ...defined({ by }),
    ...(demands && { closed: "deny" }),
  };
  if (state === "denied") return { ...answer, decision: "deny", ...defined({ message, interrupt }) };
  if (state !== "approved" || observed === true || inputHash === undefined) return answer;
  if (updatedInput === undefined) return { ...answer, decision: "allow", inputHash };
  // If the edited input cannot be shown, the gate gets no decision: nobody allowed the old input.
  if (updatedInput.input === undefined) return answer;
  return { ...answer, decision: "allow", inputHash, updatedInput: updatedInput.input };
}
