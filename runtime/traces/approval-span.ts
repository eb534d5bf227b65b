// Approval span
// The wait for an answer as a span: from the request for approval to its end.
//
//   Owns:          the name of the span, its attributes, which ends are errors, which kind of answerer settled it.
//   Does not own:  the ids of the span (spans-of), the names under which answers are given (machines, doors).
//
// APPROVAL-SPAN-1. The span has no name of a person, no message and no input. It has the kind of answerer, and the answer.
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
    // A denial is an answer; an expired approval has none.
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

/** The name under which the person at the client's terminal answers. */
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
