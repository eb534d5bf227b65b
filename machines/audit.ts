// Audit
// What became of a decision: the row of the audit trail, and the word to whoever gave it.
//
//   Owns:          their shapes, an input as an audit row has it.
//   Does not own:  when they are written (approval, routing), keeping them (runtime/turn).

import type { ToolInput } from "./inputs.ts";

/** How a decision fared, for whoever gave it, under the id they gave it for. */
export interface DecisionResult {
  readonly approvalId: string;
  /** `early`: kept until its approval is requested. */
  readonly result: "accepted" | "early" | "ignored" | "refused";
  readonly state: string;
  readonly reason?: string;
}

/** A row of the audit trail. */
export interface Audit {
  readonly kind:
    | "decision"
    | "early-decision"
    | "ignored-decision"
    | "observed-outcome"
    /** What became of a denial that came before its call. */
    | "denial-applied"
    | "denial-unused";
  readonly approvalId?: string;
  /** The id the decision was given for, where that is a second one of the approval. */
  readonly alias?: string;
  readonly callId?: string;
  readonly by: string;
  readonly decision: string;
  readonly reason?: string;
  readonly tool?: string;
  readonly input?: string;
  readonly inputHash?: string;
  /** Of an input that is kept as a blob. */
  readonly inputBytes?: number;
  readonly message?: string;
  readonly at: number;
}

/** An input as an audit row has it; of one that is damaged the hash alone. */
export function auditedInput(
  input: ToolInput | undefined,
): Pick<Audit, "input" | "inputHash" | "inputBytes"> {
  if (!input) return {};
  const { hash: inputHash } = input;
  if ("damaged" in input) return { inputHash };
  return "text" in input ? { input: input.text, inputHash } : { inputHash, inputBytes: input.bytes };
}
