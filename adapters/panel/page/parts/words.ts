// Words
// The words for states and causes: a label, and a sentence for a person who points at the label.
//
//   Owns:          the sentence for each state and cause, with the state's id.
//   Does not own:  the ids of states (machines), the labels (runtime/text/state-words), the words about intents (intent-words).

import type { CallView } from "../../../../runtime/rows/views.ts";

export { labelOf } from "../../../../runtime/text/state-words.ts";

type Cause = NonNullable<CallView["denial"] | CallView["missing"]>["cause"];

const STATES: Readonly<Record<string, string>> = {
  created: "The call is known, but the agent has not announced it yet.",
  queued: "The agent announced the call, which has not begun.",
  processing: "The call has begun; it has no result yet.",
  completed: "The call ended with a result.",
  failed: "The call ended with an error.",
  denied: "The call was not allowed to run.",
  "missing-post": "The call began or was announced, and the agent never said how it ended.",
};

const CAUSES: Readonly<Record<string, string>> = {
  direct: "This very call was denied.",
  cascade: "The call was denied along with another call of the same turn.",
  rule: "The call was denied by a rule of this engine.",
  hook: "The call was denied by another hook or by the agent's own rules.",
  model: "The call was denied by a model that the agent asked, not by a person.",
  expired: "The call was denied because nobody answered in time.",
  inferred: "The call began, but its batch ended without a result of this call: only a denial explains that.",
};

/** Why a call ended, in words short enough for a chip; undefined if its state tells enough. */
const SHORT_CAUSES: Readonly<Record<Cause, string | undefined>> = {
  direct: undefined,
  cascade: "with another call",
  rule: "by a rule",
  hook: "by a hook or the agent",
  model: "by a model",
  expired: "not answered in time",
  inferred: "inferred",
  interrupted: "interrupted",
  killed: "the agent was gone",
  deferred: "put off",
  unreported: undefined,
  lost: "nothing came any more",
  unknown: undefined,
};

const EVIDENCE: Readonly<Record<string, string>> = {
  prompt: "the next prompt came",
  stop: "the turn was over",
  "agent-stop": "its subagent was done",
  batch: "its batch was over, and named it without a result",
  result: "its result says so",
  interrupt: "it was interrupted",
  deferral: "the agent put it off",
  loss: "messages were lost",
  "request-closed": "its request was over",
  "session-start": "the session was started anew",
  "session-end": "the session was over",
  "process-gone": "the agent's process was gone",
  "time-limit": "nothing was heard for too long",
};

/** @returns why a call ended, in a few words; undefined if its state tells enough. */
export const causeOf = ({ denial, missing }: Pick<CallView, "denial" | "missing">): string | undefined => {
  const cause = denial?.cause ?? missing?.cause;
  return cause && SHORT_CAUSES[cause];
};

/** @returns the evidence that a result is lost, in words; for an unknown kind of evidence, its id. */
export const evidenceOf = ({ evidence }: NonNullable<CallView["missing"]>): string =>
  EVIDENCE[evidence] ?? evidence;

/** @param state the state of a call. @returns the meaning of the state, and its id. */
export const meaningOfState = (state: string): string => `${STATES[state] ?? ""} (${state})`.trim();

/** The meaning of the state of a call, why it is in that state, and the ids of both. */
export function meaningOf({ execution, denial, missing }: CallView): string | undefined {
  if (denial) return `${CAUSES[denial.cause] ?? ""} (${execution}, ${denial.cause})`.trim();
  const known = meaningOfState(execution);
  return missing
    ? `${known} The engine knows this, because ${evidenceOf(missing)} (${missing.cause}, ${missing.evidence}).`
    : known;
}
