// Audit
// The result of a decision: its audit row, and the answer to whoever decided.
//
//   Owns:          the shapes of the row and of the answer; an input in the form of an audit row.
//   Does not own:  when a row is written (approval, routing), storing rows (runtime/turn).

import type { ToolInput } from "./inputs.ts";

/** The result of a decision, under the id that the decider used. */
export interface DecisionResult {
  readonly approvalId: string;
  /** `early`: kept until its approval is requested; `counted`: further approvals are demanded. */
  readonly result: "accepted" | "counted" | "early" | "ignored" | "refused";
  readonly state: string;
  readonly reason?: string;
  /** For an answer that came too late: the answer that counted. */
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
    /** The end of a denial that came before its call. */
    | "denial-applied"
    | "denial-unused";
  readonly approvalId?: string;
  /** The id that the decider used, if it is an alias of the approval. */
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

/** An input in the form of an audit row; of a damaged input only the hash. */
export function auditedInput(
  input: ToolInput | undefined,
): Pick<Audit, "input" | "inputHash" | "inputBytes"> {
  if (!input) return {};
  const { hash: inputHash } = input;
  if ("damaged" in input) return { inputHash };
  return "text" in input ? { input: input.text, inputHash } : { inputHash, inputBytes: input.bytes };
}
