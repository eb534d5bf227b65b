// Approval span
// Makes the span of the wait for an answer: from the request for approval to the end of the approval.
//
//   Owns:          the name of an approval's span, its attributes, which ends of an approval are errors, which kind of answerer
//                  ended the approval.
//   Does not own:  the ids of the span (spans-of), the names under which answers are given (machines, doors).
//
// APPROVAL-SPAN-1. An approval's span contains no name of a person, no message and no input. The span contains the kind of
//     answerer, and the answer.
// APPROVAL-SPAN-2. An answer counts as a person's if it came through a door of the engine, or at the client's own terminal. An
//     answer of a rule, a policy, a model or the client never counts as a person's, nor does an approval that nobody answered.

import type { ApprovalView } from "../rows/views.ts";
import { type Measure, type SpanAttributes, spanText } from "./span.ts";
import { isByRule, isModels } from "../../machines/index.ts";

const APPROVAL = "approval";

export const isApprovalEnd = (to: string): boolean =>
  ["approved", "denied", "expired", "withdrawn"].includes(to);

export const approvalName = ({ tool }: { readonly tool: string }): string => `${APPROVAL} ${spanText(tool)}`;

export function approvalSpan(view: ApprovalView): {
  readonly attributes: SpanAttributes;
  readonly error?: string;
} {
  const { id, state, tool, requestId, callId } = view;
  return {
    attributes: {
      "gen_ai.tool.name": spanText(tool),
      "signalbox.approval.id": id,
      "signalbox.approval.decision": state,
      "signalbox.approval.answered_by": answererOf(view),
      "signalbox.request.id": requestId,
      ...(callId !== undefined && { "signalbox.call.id": callId }),
      ...("votes" in view && { "signalbox.approval.votes": view.votes.length }),
    },
    // An expired approval got no answer, which is an error; a denial is an answer, and no error.
    ...(state === "expired" && { error: "expired" }),
  };
}

export const approvalMeasure = (view: ApprovalView, seconds: number): Measure => ({
  name: "signalbox.approval.duration",
  seconds,
  attributes: {
    "gen_ai.tool.name": spanText(view.tool),
    "signalbox.approval.decision": view.state,
    "signalbox.approval.answered_by": answererOf(view),
  },
});

type AnswererKind = "person" | "rule" | "model" | "client" | "nobody";

/** The answerer's name in an answer that the person at the client's terminal gave. */
const TERMINAL = "terminal";

interface Settled {
  readonly state: string;
  readonly by?: string;
  readonly observed?: true;
  readonly outcome?: "approved" | "denied" | "unknown";
}

function answererOf({ state, by, observed, outcome }: Settled): AnswererKind {
  if (state === "expired" || by === undefined) return "nobody";
  if (state === "withdrawn") return outcome === "approved" || outcome === "denied" ? "client" : "nobody";
  if (isByRule(by)) return "rule";
  if (isModels(by)) return "model";
  return observed && by !== TERMINAL ? "client" : "person";
}
