// Audit
// The result of a decision on an approval: its audit row, and the reply to whoever decided.
//
//   Owns:          the shapes of the audit row and of the reply; how an audit row holds a tool input.
//   Does not own:  when a row is written (approval, routing), storing rows (runtime/turn).

import type { ToolInput } from "./inputs.ts";

/** The result of a decision, under the approval id that the approver used. */
export interface DecisionResult {
  readonly approvalId: string;
  /** `early`: stored until its approval is requested. `counted`: a vote, and further approvals are demanded. */
  readonly result: "accepted" | "counted" | "early" | "ignored" | "refused";
  readonly state: string;
  readonly reason?: string;
  /** The earlier decision that counted, if this decision came too late. */
  readonly winner?: { readonly by: string; readonly via?: string; readonly at: number };
}

export interface Audit {
  readonly kind:
    | "decision"
    | "vote"
    | "early-decision"
    | "ignored-decision"
    | "observed-outcome"
    /** A rule or a policy left the answer to a person. */
    | "rule-asked"
    /** Whether a denial that was decided before its call was seen was applied to that call. */
    | "denial-applied"
    | "denial-unused";
  readonly approvalId?: string;
  /** The id that the approver used, if it is an alias of the approval. */
  readonly alias?: string;
  readonly callId?: string;
  readonly by: string;
  readonly decision: string;
  readonly reason?: string;
  readonly tool?: string;
  readonly input?: string;
  readonly inputHash?: string;
  /** The input's size; only for an input that is stored as a blob. */
  readonly inputBytes?: number;
  readonly message?: string;
  readonly at: number;
}

/** A tool input as an audit row holds it; of a damaged input only the hash. */
export function auditedInput(
  input: ToolInput | undefined,
): Pick<Audit, "input" | "inputHash" | "inputBytes"> {
  if (!input) return {};
  const { hash: inputHash } = input;
  if ("damaged" in input) return { inputHash };
  return "text" in input ? { input: input.text, inputHash } : { inputHash, inputBytes: input.bytes };
}
