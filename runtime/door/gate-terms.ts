// Gate terms
// The facts about a gate that come with its payload.
//
//   Owns:          the shape of these facts, in the journal too.
//   Does not own:  the payload of the hook (adapters of clients), the program that waits (adapters/gate).

/** What a gate does without a decision: it leaves the call to the client's own dialog, or denies it. It never allows. */
export type Closed = "ask" | "deny";

/** The doors other than hooks that ask about a call: the Agent SDK, and the client's permission tool. */
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

/** The report of a gate that answered by itself, and so no longer waits for the approval. */
export interface GateAnswered {
  readonly approvalId: string;
  readonly answered: Closed;
}

export type GateNote = GateTerms | GateAnswered;
