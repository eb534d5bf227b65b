// Gate terms
// What a gate says of itself beside the payload it was given.
//
//   Owns:          the shape of it, in the journal too.
//   Does not own:  the payload (adapters of clients), the gate's program (adapters/gate).

/** What a gate does where it has no decision: leave it to the client's own dialog, or deny. Never allow. */
export type Closed = "ask" | "deny";

/** The gate waits for an answer to this approval. */
export interface GateTerms {
  readonly approvalId: string;
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
