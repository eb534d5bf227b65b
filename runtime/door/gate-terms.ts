// Gate terms
// What a gate says of itself beside the payload it was given.
//
//   Owns:          the shape of it, in the journal too.
//   Does not own:  the payload (adapters of clients), the gate's program (adapters/gate).

/** What a gate does where it has no decision: leave it to the client's own dialog, or deny. Never allow. */
export type Closed = "ask" | "deny";

/** By which door a call is asked about, where it is not a hook: the Agent SDK, or the client's permission tool. */
export const VIAS = ["sdk", "mcp"] as const;
export type Via = (typeof VIAS)[number];

/** The gate waits for an answer to this approval. */
export interface GateTerms {
  readonly approvalId: string;
  readonly via?: Via;
  /** When it stops waiting, on the journal's clock, ms. */
  readonly deadlineAt: number;
  readonly onDeadline: Closed;
}

/** The gate has answered by itself: nobody waits for the approval's answer any more. */
export interface GateAnswered {
  readonly approvalId: string;
  readonly answered: Closed;
}

export type GateNote = GateTerms | GateAnswered;
