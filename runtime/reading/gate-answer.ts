// Gate answer
// The answer to a gate that waits for an approval.
//
//   Owns:          in which states of the approval the gate may allow its call, and in which it must deny.
//   Does not own:  the states (machines/approval), what the gate's program does with the answer (adapters/gate).
//
// GATE-ANSWER-1. Only a durable decision that was given to this engine allows. The answer has no decision if the approval has
//     expired, was withdrawn or is unknown, or if the source itself reported how it ended.
// GATE-ANSWER-2. An answer that allows names the hash of the input that was allowed.
// GATE-ANSWER-3. If rules demand several approvers, or certain ones, a gate that gets no answer denies.

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
  // If the edited input cannot be shown, the gate gets no decision: nobody allowed the original input.
  if (updatedInput.input === undefined) return answer;
  return { ...answer, decision: "allow", inputHash, updatedInput: updatedInput.input };
}
