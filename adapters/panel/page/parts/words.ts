// Words
// What people read in place of states and causes: a label, and a sentence for who points at one.
//
//   Owns:          the sentences; a state's id stands beneath, in the title.
//   Does not own:  the names (machines), the labels (runtime/text/state-words).

import type { CallView } from "../../../../runtime/rows/views.ts";

export { labelOf } from "../../../../runtime/text/state-words.ts";

type Intent = NonNullable<CallView["intent"]>;

const STATES: Readonly<Record<string, string>> = {
  created: "Heard of, not announced yet.",
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

/** @param state a call's. @returns what it means, and its id. */
export const meaningOfState = (state: string): string => `${STATES[state] ?? ""} (${state})`.trim();

/** What a call's state means, and why it came to that where the name of the cause does not say it. */
export function meaningOf({ execution, denial, missing }: CallView): string | undefined {
  if (denial) return CAUSES[denial.cause];
  const known = `${STATES[execution] ?? ""} (${execution})`.trim();
  return missing ? `${known} Known by: ${missing.evidence}.` : known;
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

/** The same for who looks closely: how sure in each case, and where the words stand in the transcript. */
export const placeOfIntent = ({ source, confidence, line }: Intent): string =>
  `${SOURCES[source]}, ${confidence}${line === undefined ? "" : `, line ${line} of the transcript`}`;
