// Spans of
// What a state change begins or ends, as spans: read off the change alone.
//
//   Owns:          which changes begin and end spans, and which span holds which.
//   Does not own:  what stands in a span (request-span, call-span, approval-span), its ids (span-ids), sending (adapters).
//   Decided in:    docs/decisions/0088-traces-are-read-off-the-log-of-changes.md.
//
// SPANS-OF-1. A change gives the same span whenever it is read: no clock, no memory, no other row.
// SPANS-OF-2. Each request, call and approval that is over has one span. What is told of a call's end afterwards is a span
//     beneath it, `correction`: one that was sent stays as it was.
// SPANS-OF-3. Times are the journal's, and a span never ends before it began.
// SPANS-OF-4. A call is in its request's span, or in that of the call that started its agent; an approval in its call's.

import { defined } from "../../machines/index.ts";
import type { StateChange } from "../rows/changes.ts";
import type { ApprovalView, CallView, RequestView } from "../rows/views.ts";
import { approvalMeasure, approvalName, approvalSpan, isApprovalEnd } from "./approval-span.ts";
import { callMeasure, callName, callOutcome, callSpan, EXECUTE_TOOL, isCallEnd } from "./call-span.ts";
import { INVOKE_AGENT, isRequestEnd, requestMeasure, requestSpan } from "./request-span.ts";
import { spanIdOf, type SpanKind, traceIdOf } from "./span-ids.ts";
import type { BegunSpan, EndedSpan } from "./span.ts";

type Change = Pick<
  StateChange,
  "entity" | "id" | "workspace" | "sessionId" | "from" | "to" | "at" | "version" | "traceparent" | "view"
>;

/** @returns the span that a change begins, if it does. */
export function begunBy(change: Change): BegunSpan | undefined {
  if (change.from !== null) return undefined;
  switch (change.entity) {
    case "request":
      return requestBegun(change, change.view as RequestView);
    case "toolcall":
      return callBegun(change, change.view as CallView);
    case "approval":
      return approvalBegun(change, change.view as ApprovalView);
    case "session":
    case "callback":
    case "alarm":
      return undefined;
  }
}

/** @returns the span that a change ends, if it does. */
export function endedBy(change: Change): EndedSpan | undefined {
  const { entity, to } = change;
  switch (entity) {
    case "request":
      return isRequestEnd(to) ? requestEnded(change, change.view as RequestView) : undefined;
    case "toolcall":
      return isCallEnd(to) ? callEnded(change, change.view as CallView) : undefined;
    case "approval":
      return isApprovalEnd(to) ? approvalEnded(change, change.view as ApprovalView) : undefined;
    case "session":
    case "callback":
    case "alarm":
      return undefined;
  }
}

const spanId = ({ workspace, sessionId }: Change, kind: SpanKind, id: string): string =>
  spanIdOf(workspace, sessionId, kind, id);

const own = (change: Change, kind: SpanKind, id = change.id) => ({
  traceId: traceIdOf(change.workspace, change.sessionId),
  spanId: spanId(change, kind, id),
});

const everySpan = ({ workspace, sessionId }: Change) => ({
  "gen_ai.conversation.id": sessionId,
  "signalbox.workspace": workspace,
});

const requestBegun = (change: Change, { createdAt }: RequestView): BegunSpan => ({
  ...own(change, "request"),
  name: INVOKE_AGENT,
  startMs: createdAt,
  ...defined({ link: change.traceparent }),
});

function requestEnded(change: Change, view: RequestView): EndedSpan {
  const begun = requestBegun(change, view);
  const endMs = Math.max(begun.startMs, view.completedAt ?? change.at);
  const { attributes, error } = requestSpan(view);
  return {
    ...begun,
    endMs,
    attributes: { ...attributes, ...everySpan(change) },
    ...defined({ error }),
    measure: requestMeasure((endMs - begun.startMs) / 1000, error),
  };
}

/** SPANS-OF-4 */
const callBegun = (change: Change, view: CallView): BegunSpan => ({
  ...own(change, "call"),
  parentId:
    view.parentCallId === undefined
      ? spanId(change, "request", view.requestId)
      : spanId(change, "call", view.parentCallId),
  name: callName(view),
  startMs: view.createdAt,
  ...defined({ link: change.traceparent }),
});

function callEnded(change: Change, view: CallView): EndedSpan {
  if (view.was !== undefined) return correction(change, view);
  const begun = callBegun(change, view);
  const { attributes, error } = callSpan(change.to, view);
  return {
    ...begun,
    endMs: Math.max(begun.startMs, view.closedAt ?? change.at),
    attributes: { ...attributes, ...everySpan(change) },
    ...defined({ error, measure: callMeasure(change.to, view) }),
  };
}

/** SPANS-OF-2 */
function correction(change: Change, view: CallView): EndedSpan {
  return {
    ...own(change, "correction", `${change.id}:${change.version}`),
    parentId: spanId(change, "call", change.id),
    name: "correction",
    startMs: change.at,
    endMs: change.at,
    attributes: {
      "gen_ai.operation.name": EXECUTE_TOOL,
      "signalbox.call.id": view.id,
      "signalbox.call.was": view.was === "missing-post" ? "lost" : (view.was ?? ""),
      "signalbox.call.outcome": callOutcome(change.to, view),
      ...everySpan(change),
    },
    ...defined({ measure: callMeasure(change.to, view) }),
  };
}

const approvalBegun = (change: Change, view: ApprovalView): BegunSpan => ({
  ...own(change, "approval"),
  parentId:
    view.callId === undefined
      ? spanId(change, "request", view.requestId)
      : spanId(change, "call", view.callId),
  name: approvalName(view),
  startMs: view.askedAt,
});

function approvalEnded(change: Change, view: ApprovalView): EndedSpan {
  const begun = approvalBegun(change, view);
  const endMs = Math.max(begun.startMs, view.closedAt ?? change.at);
  const { attributes, error } = approvalSpan(view);
  return {
    ...begun,
    endMs,
    attributes: { ...attributes, ...everySpan(change) },
    ...defined({ error }),
    measure: approvalMeasure(view, (endMs - begun.startMs) / 1000),
  };
}
