// Audit
// The result of a decision on an approval: its audit row, and the reply to whoever decided.
//
//   Owns:          the shapes of the audit row and of the reply; how an audit row holds a tool input.
//   Does not own:  when an audit row is written (approval, routing), storing audit rows (runtime/turn).

import type { ToolInput } from "./inputs.ts";

export interface DecisionResult {
  /** The approval's id as the approver gave it, perhaps an alias. */
  readonly approvalId: string;
  /**
   * What became of the decision. `early`: stored until the approval is requested. `counted`: it counts as a vote, and further
   * votes are demanded.
   */
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
    /** A rule or a policy decided that a person must answer. */
    | "rule-asked"
    /** `denial-applied`: a denial came before its call, and was applied to the call. `denial-unused`: it was never applied. */
    | "denial-applied"
    | "denial-unused";
  readonly approvalId?: string;
  /** The alias that the approver used, if any. */
  readonly alias?: string;
  readonly callId?: string;
  readonly by: string;
  readonly decision: string;
  readonly reason?: string;
  readonly tool?: string;
  readonly input?: string;
  readonly inputHash?: string;
  /** The length of the input's text in bytes; present only if the input is stored as a blob. */
  readonly inputBytes?: number;
  readonly message?: string;
  readonly at: number;
}

export function auditedInput(
  input: ToolInput | undefined,
): Pick<Audit, "input" | "inputHash" | "inputBytes"> {
  if (!input) return {};
  const { hash: inputHash } = input;
  if ("damaged" in input) return { inputHash };
  return "text" in input ? { input: input.text, inputHash } : { inputHash, inputBytes: input.bytes };
}
