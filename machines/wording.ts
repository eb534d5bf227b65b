// Wording
// Recognises a refusal by the text of a failure, for a client that reports in no other way that it did not allow a call.
//
//   Owns:          what such a text means, and for which tools the engine trusts the text.
//   Does not own:  reading these texts (adapters), what a call does because of one (routing/outcomes).

export interface Wording {
  readonly verdict: "user" | "hook" | "rule" | "rejected";
  /** The tools whose error texts are the client's own: these tools cannot write such a text themselves. */
  readonly of: readonly string[];
}

export interface Worded {
  readonly worded?: Wording;
}

/** `byWords` is true if a denial was concluded from the text of a failure. */
export interface ReadFromWords {
  readonly byWords?: true;
}
