// Wording
// Some clients report a refused call only as a failure with a text. Recognises by this text that such a client did not allow
// the call.
//
//   Owns:          what the text of a failure means, and for which tools the engine trusts the text.
//   Does not own:  reading the text of a failure (adapters), what a refusal changes in its call (routing/outcomes).

export interface Wording {
  readonly verdict: "user" | "hook" | "rule" | "rejected";
  /** The tools whose error texts are the client's own: these tools cannot write such a text themselves. */
  readonly of: readonly string[];
}

export interface Worded {
  readonly worded?: Wording;
}

/** What was read from a text. `byWords`: true if a denial was concluded from the text of a failure. */
export interface ReadFromWords {
  readonly byWords?: true;
}
