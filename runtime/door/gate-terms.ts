// Gate terms
// What a gate reports together with its hook's payload: until when the gate waits and what it does then, or that it has answered
// by itself.
//
//   Owns:          the shape of the facts that a gate reports, in a message and in the journal.
//   Does not own:  the payload of the hook (adapters of clients), the program that waits (adapters/gate).

/**
 * What a gate does without a decision: it leaves the call to the client's own dialog (`ask`), or denies it. A gate never allows
 * without a decision.
 */
export type Closed = "ask" | "deny";

/** The ways other than a hook by which a client asks about a call: the Agent SDK, and the client's permission tool. */
export const VIAS = ["sdk", "mcp"] as const;
export type Via = (typeof VIAS)[number];

/** The terms of a gate that waits for an answer to this approval. */
export interface GateTerms {
  readonly approvalId: string;
  readonly via?: Via;
  /** When the gate stops waiting, by journal time, ms. */
  readonly deadlineAt: number;
  readonly onDeadline: Closed;
}

/** The report of a gate that answered the client without an answer from this engine, and so no longer waits for the approval. */
export interface GateAnswered {
  readonly approvalId: string;
  readonly answered: Closed;
}

export type GateNote = GateTerms | GateAnswered;
