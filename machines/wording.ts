// Wording
// A failure in the words that a client uses of a call it did not allow, where it has no other way to say so.
//
//   Owns:          what such a failure says, and of which tools it can be believed.
//   Does not own:  the words (adapters), what follows (routing/outcomes).

export interface Wording {
  readonly verdict: "user" | "hook" | "rule" | "rejected";
  /** The tools whose errors the client words itself: none of these can put such words into its own. */
  readonly of: readonly string[];
}

/** Of a failure. */
export interface Worded {
  readonly worded?: Wording;
}

/** Of a denial: it was concluded from the words of a failure. */
export interface ReadFromWords {
  readonly byWords?: true;
}
