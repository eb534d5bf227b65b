// Spans of
// Derives the spans that a state change begins or ends, from the change alone.
//
//   Owns:          which changes begin and end spans; the parent of each span; the ids of spans.
//   Does not own:  the content of a span (request-span, call-span, approval-span), sending (adapters).
//   Decided in:    docs/decisions/0088-traces-are-read-off-the-log-of-changes.md.
//
// SPANS-OF-1. A change gives the same span whenever the change is read: the code uses no clock, no other row, and nothing in
//     memory except cached digests.
// SPANS-OF-2. Each request, call and approval that is over has one span. A report about a call after its end becomes a
//     child span, `correction`, because a span that was sent never changes.
// SPANS-OF-3. The times of a span are journal times, and no span ends before it begins.
// SPANS-OF-4. The parent of a call is its request, or the call that started its agent. The parent of an approval is its call.
// SPANS-OF-5. The span of a request, call or approval has the same ids in every process, and no two spans have the same id. So a
//     span that is exported again after a crash is recognised as the same span.

import { hash } from "node:crypto";
import type { StateChange } from "../rows/changes.ts";
import type { ApprovalView, CallView, RequestView } from "../rows/views.ts";
import { approvalMeasure, approvalName, approvalSpan, isApprovalEnd } from "./approval-span.ts";
import {
  callAttributes,
  callError,
  callMeasure,
  callName,
  callOutcome,
  EXECUTE_TOOL,
  isCallEnd,
} from "./call-span.ts";
import { INVOKE_AGENT, isRequestEnd, requestMeasure, requestSpan } from "./request-span.ts";
import type { BegunSpan, EndedSpan, Measure, SpanAttributes } from "./span.ts";

type Change = Pick<
  StateChange,
  "entity" | "id" | "workspace" | "sessionId" | "from" | "to" | "at" | "version" | "traceparent" | "view"
>;

export const begunBy = (change: Change): BegunSpan | undefined =>
  change.from === null ? SPANS[change.entity]?.begun(change, change.view as never) : undefined;

export function endedBy(change: Change): EndedSpan | undefined {
  const spans = SPANS[change.entity];
  return spans?.isEnd(change.to) ? spans.ended(change, change.view as never) : undefined;
}

type SpanKind = "request" | "call" | "approval" | "correction";

/** @returns 8 bytes in hex. */
const idOf = ({ workspace, sessionId }: Change, kind: SpanKind, id: string): string =>
  digest([workspace, sessionId, kind, id], 8);

/**
 * For how many sessions the digests are cached. Computing digests is most of the cost of a span, and a session needs the same
 * digests again and again.
 */
const SESSIONS_KEPT = 1_024;
interface Known {
  readonly traceId: string;
  requestId?: string;
  request?: string;
}
const sessions = new Map<string, Known>();

function known(change: Change): Known {
  const { workspace, sessionId } = change;
  const key = `${workspace}/${sessionId}`;
  const found = sessions.get(key);
  if (found) return found;
  if (sessions.size >= SESSIONS_KEPT) sessions.clear();
  const made: Known = { traceId: digest([workspace, sessionId], 16) };
  sessions.set(key, made);
  return made;
}

function requestSpanId(change: Change, id: string): string {
  const of = known(change);
  if (of.requestId !== id || of.request === undefined) {
    of.requestId = id;
    of.request = idOf(change, "request", id);
  }
  return of.request;
}

const every = ({ workspace, sessionId }: Change): SpanAttributes => ({
  "gen_ai.conversation.id": sessionId,
  "signalbox.workspace": workspace,
});

const requestBegun = (change: Change, { createdAt: startMs }: RequestView): BegunSpan => ({
  ...{ traceId: known(change).traceId, spanId: requestSpanId(change, change.id) },
  ...{ name: INVOKE_AGENT, startMs, link: change.traceparent },
});

function requestEnded(change: Change, view: RequestView): EndedSpan {
  const begun = requestBegun(change, view);
  const endMs = Math.max(begun.startMs, view.completedAt ?? change.at);
  const { attributes, error } = requestSpan(view);
  const measure = requestMeasure((endMs - begun.startMs) / 1000, error);
  return { ...begun, endMs, attributes: { ...attributes, ...every(change) }, error, measure };
}

/** The beginning of a call's span, with the span's parent (SPANS-OF-4). */
const callBegun = (change: Change, view: CallView): BegunSpan => ({
  traceId: known(change).traceId,
  spanId: idOf(change, "call", change.id),
  parentId:
    view.parentCallId === undefined
      ? requestSpanId(change, view.requestId)
      : idOf(change, "call", view.parentCallId),
  name: callName(view),
  startMs: view.createdAt,
  link: change.traceparent,
});

function callEnded(change: Change, view: CallView): EndedSpan {
  const { to } = change;
  const measure = callMeasure(to, view);
  if (view.was !== undefined) return correction(change, view, measure);
  const { traceId, spanId, parentId, name, startMs, link } = callBegun(change, view);
  const endMs = Math.max(startMs, view.closedAt ?? change.at);
  const [attributes, error] = [callAttributes(to, view, change), callError(to, view)];
  return { traceId, spanId, parentId, name, startMs, link, endMs, attributes, error, measure };
}

/** The span of a report about a call that came after the call's end (SPANS-OF-2). */
const correction = (change: Change, view: CallView, measure: Measure | undefined): EndedSpan => ({
  traceId: known(change).traceId,
  spanId: idOf(change, "correction", `${change.id}:${change.version}`),
  parentId: idOf(change, "call", change.id),
  name: "correction",
  startMs: change.at,
  endMs: change.at,
  attributes: {
    "gen_ai.operation.name": EXECUTE_TOOL,
    "signalbox.call.id": view.id,
    "signalbox.call.was": view.was === "missing-post" ? "lost" : (view.was ?? ""),
    "signalbox.call.outcome": callOutcome(change.to, view),
    ...every(change),
  },
  measure,
});

const approvalBegun = (change: Change, view: ApprovalView): BegunSpan => ({
  traceId: known(change).traceId,
  spanId: idOf(change, "approval", change.id),
  parentId:
    view.callId === undefined ? requestSpanId(change, view.requestId) : idOf(change, "call", view.callId),
  name: approvalName(view),
  startMs: view.askedAt,
});

function approvalEnded(change: Change, view: ApprovalView): EndedSpan {
  const begun = approvalBegun(change, view);
  const endMs = Math.max(begun.startMs, view.closedAt ?? change.at);
  const { attributes, error } = approvalSpan(view);
  const measure = approvalMeasure(view, (endMs - begun.startMs) / 1000);
  return { ...begun, endMs, attributes: { ...attributes, ...every(change) }, error, measure };
}

/** How the changes of an actor become its span. A change holds the view of its own actor, so the casts to `never` are safe. */
interface Spans {
  readonly begun: (change: Change, view: never) => BegunSpan;
  readonly isEnd: (to: string) => boolean;
  readonly ended: (change: Change, view: never) => EndedSpan;
}

const SPANS: { readonly [E in Change["entity"]]: Spans | undefined } = {
  request: { begun: requestBegun, isEnd: isRequestEnd, ended: requestEnded },
  toolcall: { begun: callBegun, isEnd: isCallEnd, ended: callEnded },
  approval: { begun: approvalBegun, isEnd: isApprovalEnd, ended: approvalEnded },
  ...{ session: undefined, callback: undefined, alarm: undefined },
};

const DOMAIN = "signalbox.trace.1";

/** The first bytes of the SHA-256 of the parts, in hex. The parts are separated by line breaks, which no id contains. */
const digest = (parts: readonly string[], bytes: number): string =>
  hash("sha256", [DOMAIN, ...parts].join("\n"), "hex").slice(0, bytes * 2);
