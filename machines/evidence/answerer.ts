// Answerer
// Decides, by the name that an approval records for its answer, whether a person or a model gave the answer.
//
//   Owns:          the name under which a model's answers are recorded.
//   Does not own:  the name of a rule's answers (rules/rule), a client's reports on who allowed a call (permission).
//
// ANSWERER-1. A model is not a person, even if a person chose that the model answers. So a denied call that ran raises an alarm
//     even if a model allowed it, and suggested rules and the record of dry rules are based on people's answers only.

/** The name for a model that the client asked instead of a person. */
export const MODEL = "model";

export const isModels = (by: string): boolean => by === MODEL;
