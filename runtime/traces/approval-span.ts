// Approval span
// The wait for an answer as a span: from the request for approval to its end.
//
//   Owns:          the name of the span, its attributes, which ends are errors.
//   Does not own:  the ids of the span (spans-of), who answered (answered-by).
//
// APPROVAL-SPAN-1. The span has no name of a person, no message and no input. It has the kind of answerer, and the answer.

import type { ApprovalView } from "../rows/views.ts";
import { answererOf } from "./answered-by.ts";
import { spanText } from "./span-text.ts";
import type { Measure, SpanAttributes } from "./span.ts";

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
