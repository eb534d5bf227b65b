// Words
// Explains states and causes in a sentence each, for people who point at one.
//
//   Owns:          the sentences.
//   Does not own:  the names (machines).

import type { CallView } from "../../../../runtime/rows/views.ts";

type Intent = NonNullable<CallView["intent"]>;

const STATES: Readonly<Record<string, string>> = {
  queued: "Announced by the agent, not begun.",
  processing: "Begun; no result yet.",
  completed: "Ended with a result.",
  failed: "Ended with an error.",
  denied: "Not allowed to run.",
  "missing-post": "Begun or announced, and the agent never said how it ended.",
};

const CAUSES: Readonly<Record<string, string>> = {
  direct: "This very call was denied.",
  cascade: "Denied along with another call of the same turn.",
  rule: "Denied by a rule of this engine.",
  hook: "Denied by another hook or by the agent's own rules.",
  expired: "Denied because nobody answered in time.",
  inferred:
    "Begun, and named without a result when its batch was over: nothing else leaves that but a denial.",
};

/** @param state a call's. @returns nothing for a state this page does not know. */
export const meaningOfState = (state: string): string | undefined => STATES[state];

/** What a call's state means, and why it came to that where the name of the cause does not say it. */
export function meaningOf({ execution, denial, missing }: CallView): string | undefined {
  if (denial) return CAUSES[denial.cause];
  return missing ? `${STATES[execution] ?? execution} Known by: ${missing.evidence}.` : STATES[execution];
}

const SOURCES: Readonly<Record<Intent["source"], string>> = {
  message: "said by the agent before the call",
  parent: "said by the agent before, in the same turn",
  display: "as the client shows it",
  description: "the call's own description",
  prompt: "from what was asked for",
};

/** Where the words about a call come from, and how sure it is that they are about this one. */
export const meaningOfIntent = ({ source, confidence }: Intent): string =>
  `${SOURCES[source]}${confidence === "certain" ? "" : `, ${confidence}`}`;
