// Answerer
// Decides by an answer's name whether a person gave the answer.
//
//   Owns:          the name of a model's answers.
//   Does not own:  the name of a rule's answers (rules/rule), a client's reports on who allowed a call (permission).
//
// ANSWERER-1. A model is no person, whoever delegated the answer. A model's allow does not excuse a call that was denied, and
//     no rule is measured by it.

/** The name for a model that the client asked instead of a person. */
export const MODEL = "model";

export const isModels = (by: string): boolean => by === MODEL;
