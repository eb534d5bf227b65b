// Audit
// The result of a decision: its row in the audit trail, and the answer to whoever gave it.
//
//   Owns:          their shapes; an input as an audit row has it.
//   Does not own:  when they are written (approval, routing), keeping them (runtime/turn).

import type { ToolInput } from "./inputs.ts";

/** The result of a decision, for whoever gave it, under the id they gave it for. */
export interface DecisionResult {
  readonly approvalId: string;
  /** `early`: kept until its approval is requested; `counted`: others are to approve it, too. */
  readonly result: "accepted" | "counted" | "early" | "ignored" | "refused";
  readonly state: string;
  readonly reason?: string;
  /** For an answer that came too late: the one that counted. */
  readonly winner?: { readonly by: string; readonly via?: string; readonly at: number };
}

/** A row of the audit trail. */
export interface Audit {
  readonly kind:
    | "decision"
    /** The answer is one of several that are wanted. */
    | "vote"
    | "early-decision"
    | "ignored-decision"
    | "observed-outcome"
    /** A rule or a policy leaves the answer to a person. */
    | "rule-asked"
    /** What became of a denial that came before its call. */
    | "denial-applied"
    | "denial-unused";
  readonly approvalId?: string;
  /** The id the decision was given for, if that is a second id of the approval. */
  readonly alias?: string;
  readonly callId?: string;
  readonly by: string;
  readonly decision: string;
  readonly reason?: string;
  readonly tool?: string;
  readonly input?: string;
  readonly inputHash?: string;
  /** Only for an input that is kept as a blob. */
  readonly inputBytes?: number;
  readonly message?: string;
  readonly at: number;
}

/** An input as an audit row has it; of a damaged one only the hash. */
export function auditedInput(
  input: ToolInput | undefined,
): Pick<Audit, "input" | "inputHash" | "inputBytes"> {
  if (!input) return {};
  const { hash: inputHash } = input;
  if ("damaged" in input) return { inputHash };
  return "text" in input ? { input: input.text, inputHash } : { inputHash, inputBytes: input.bytes };
}
