// Answerer
// Whether a person stands behind an answer, by the name that it is given under.
//
//   Owns:          the name of a model's answers.
//   Does not own:  the name of a rule's (rules/rule), what a client tells of who allowed a call (permission).
//
// ANSWERER-1. A model is no person, whosever answer it stands for: what it allowed does not excuse a call that was denied, and
//     no rule is measured by it.

/** Answered by a model that the client asked in a person's place. */
export const MODEL = "model";

export const isModels = (by: string): boolean => by === MODEL;
