// Answered by
// Tells which kind of answerer settled an approval, such as a person or a rule, but never the answerer's name.
//
//   Owns:          the kinds of answerers, telling which kind settled an approval.
//   Does not own:  the names under which answers are given (machines, doors).
//
// ANSWERED-BY-1. An answer counts as a person's if it came through a door of the engine, or at the client's own terminal. An
//     answer of a rule, a policy, a model or the client never counts as a person's, nor does an approval that nobody answered.

import { isByRule, isModels } from "../../machines/index.ts";

export type AnswererKind = "person" | "rule" | "model" | "client" | "nobody";

/** The name under which the person at the client's terminal answers. */
const TERMINAL = "terminal";

export interface Settled {
  readonly state: string;
  readonly by?: string;
  readonly observed?: true;
  readonly outcome?: "approved" | "denied" | "unknown";
}

export function answererOf({ state, by, observed, outcome }: Settled): AnswererKind {
  if (state === "expired" || by === undefined) return "nobody";
  if (state === "withdrawn") return outcome === "approved" || outcome === "denied" ? "client" : "nobody";
  if (isByRule(by)) return "rule";
  if (isModels(by)) return "model";
  return observed && by !== TERMINAL ? "client" : "person";
}
