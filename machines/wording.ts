// Wording
// A failure in the client's words for a call that it did not allow, from a client that reports this in no other way.
//
//   Owns:          the meaning of such a failure, and for which tools the engine believes such a failure.
//   Does not own:  the words (adapters), the effects (routing/outcomes).

export interface Wording {
  readonly verdict: "user" | "hook" | "rule" | "rejected";
  /** The tools whose errors the client words itself, so that none of these tools can write such words. */
  readonly of: readonly string[];
}

export interface Worded {
  readonly worded?: Wording;
}

/** True if a denial was concluded from the words of a failure. */
export interface ReadFromWords {
  readonly byWords?: true;
}
