// Gate answer
// Makes the answer that a gate gets when it waits for an approval.
//
//   Owns:          in which states of an approval its gate may allow the call, and in which the gate must deny the call.
//   Does not own:  the states of an approval (machines/approval), what the gate's program does with the answer (adapters/gate).
//
// GATE-ANSWER-1. The gate gets the answer "allow" only because of a durable decision that was given to this engine. The answer
//     contains no decision if the approval has expired, was withdrawn or is unknown, or if the approval counts as approved only
//     because its source reported that the call was allowed.
// GATE-ANSWER-2. An answer that allows a call contains the hash of the allowed input, so that the gate can check that its call
//     has this input.
// GATE-ANSWER-3. If rules demand several approvers, or certain approvers, the gate denies the call if it gets no answer.

import { defined } from "../../machines/index.ts";
import type { ApprovalView } from "../rows/views.ts";

export interface GateAnswer {
  readonly approvalId: string;
  readonly state: string;
  /**
   * What the gate must do. Absent while the approval is pending, and if it ended without an answer for the gate: the gate then
   * does what it does if nobody answers (`closed`, or its own settings).
   */
  readonly decision?: "allow" | "deny";
  readonly inputHash?: string;
  readonly updatedInput?: unknown;
  readonly message?: string;
  readonly interrupt?: boolean;
  readonly by?: string;
  /** Present if the gate must deny when it gets no answer, whatever its own settings are. */
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
  // The approver allowed only an edited input. If this is missing or damaged, the gate gets no decision: nobody allowed the
  // original input.
  if (updatedInput.input === undefined) return answer;
  return { ...answer, decision: "allow", inputHash, updatedInput: updatedInput.input };
}
