// Gate answer
// What a waiting gate is told of its approval.
//
//   Owns:          which states of an approval open a gate, and which close it.
//   Does not own:  the states (machines/approval), what the gate's program makes of it (adapters/gate).
//
// GATE-ANSWER-1. Only a decision that was given to this engine, and is durable, allows. What the source itself
//     reported, an expired
//      and a withdrawn approval, and whatever is not known here, carry no decision.
// GATE-ANSWER-2. An allow names the hash of the input it was given for.
// GATE-ANSWER-3. Where rules want several people's approval, or some people's alone, a gate without an answer denies.

import { defined } from "../../machines/index.ts";
import type { ApprovalView } from "../rows/views.ts";

export interface GateAnswer {
  readonly approvalId: string;
  readonly state: string;
  /** Absent while it waits, and where the gate is to answer by itself. */
  readonly decision?: "allow" | "deny";
  readonly inputHash?: string;
  readonly updatedInput?: unknown;
  readonly message?: string;
  readonly interrupt?: boolean;
  readonly by?: string;
  /** Whatever the gate was set up for: without an answer, it denies. */
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
  // If the edited input cannot be shown, no answer is given: the old input was not allowed.
  if (updatedInput.input === undefined) return answer;
  return { ...answer, decision: "allow", inputHash, updatedInput: updatedInput.input };
}
