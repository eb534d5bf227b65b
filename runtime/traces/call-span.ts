// Call span
// A tool call as a span, from when it was first seen to its end; and its later corrections.
//
//   Owns:          the name of the span, its attributes, which ends are errors, how long the tool ran.
//   Does not own:  the ids of the span (spans-of), the states of a call (machines), who answered (approval-span).
//
// CALL-SPAN-1. Completed, failed, denied, cancelled, deferred and lost are six outcomes. `signalbox.call.outcome` has the
//     outcome; each but the first also has an `error.type` and a status of its own.
// CALL-SPAN-2. A call without an approval has the decision `never-asked`, which does not count as approved.
// CALL-SPAN-3. No input, output or error text of a tool is in a span, nor the name of a person.
// CALL-SPAN-4. The time that a person took to answer never counts as a tool's running time.

import { isPersons } from "../../machines/index.ts";
import type { CallView } from "../rows/views.ts";
import { type Measure, type SpanAttributes, spanText } from "./span.ts";

/** The operation's name in the GenAI conventions. */
export const EXECUTE_TOOL = "execute_tool";

export type CallOutcome = "completed" | "failed" | "denied" | "cancelled" | "deferred" | "lost";

const ENDS: ReadonlySet<string> = new Set(["completed", "failed", "denied", "missing-post"]);

export const isCallEnd = (to: string): boolean => ENDS.has(to);

/** @param to the state that the call has entered. */
export function callOutcome(to: string, { missing }: CallView): CallOutcome {
  switch (to) {
    case "completed":
    case "failed":
    case "denied":
      return to;
    default:
      if (missing?.cause === "interrupted" || missing?.cause === "killed") return "cancelled";
      return missing?.cause === "deferred" ? "deferred" : "lost";
  }
}

const ERRORS: Readonly<Record<CallOutcome, string | undefined>> = {
  completed: undefined,
  failed: "tool_error",
  denied: "denied",
  cancelled: "cancelled",
  deferred: "deferred",
  lost: "lost",
};

export const callName = ({ tool }: { readonly tool: string }): string => `${EXECUTE_TOOL} ${spanText(tool)}`;

export const callError = (to: string, view: CallView): string | undefined => ERRORS[callOutcome(to, view)];

/** @param to the state that the call has entered. @param where its session and workspace. */
export function callAttributes(
  to: string,
  view: CallView,
  where: { readonly workspace: string; readonly sessionId: string },
): SpanAttributes {
  const { id, tool, toolUseId, requestId, agentId, denial, missing, executedAfterDenial } = view;
  // One object is filled for each call: copying it would take as long as making it.
  const attributes: Record<string, string | boolean> = {
    "gen_ai.operation.name": EXECUTE_TOOL,
    "gen_ai.tool.name": spanText(tool),
    "gen_ai.tool.call.id": spanText(toolUseId ?? id),
    "gen_ai.conversation.id": where.sessionId,
    "signalbox.workspace": where.workspace,
    "signalbox.call.id": id,
    "signalbox.request.id": requestId,
    "signalbox.agent.id": agentId,
    "signalbox.call.outcome": callOutcome(to, view),
    "signalbox.approval.decision": "never-asked",
  };
  askedOf(view, attributes);
  if (denial) attributes["signalbox.denial.cause"] = denial.cause;
  if (missing) attributes["signalbox.missing.cause"] = missing.cause;
  if (executedAfterDenial) attributes["signalbox.call.executed_after_denial"] = true;
  return attributes;
}

/** Adds how the call was allowed or denied, or that nobody was asked (CALL-SPAN-2). */
function askedOf({ approval, permission }: CallView, attributes: Record<string, string | boolean>): void {
  const decision = "signalbox.approval.decision";
  if (approval) {
    attributes["signalbox.approval.id"] = approval.id;
    attributes[decision] = approval.state;
  } else if (permission && isPersons(permission)) {
    // No approval was requested, but the client reported that a person allowed or refused the call.
    attributes[decision] = permission.decision === "accept" ? "approved" : "denied";
    attributes["signalbox.approval.answered_by"] = "person";
  }
}

/** How long the tool ran; undefined for a call without a result (CALL-SPAN-4). */
export function callMeasure(to: string, view: CallView): Measure | undefined {
  if (to !== "completed" && to !== "failed") return undefined;
  const { tool, createdAt, startedAt = createdAt, closedAt = startedAt, approval, durationMs } = view;
  // A client reports the start before it asks for approval, so the tool itself could begin only after the answer.
  const began = Math.max(startedAt, approval && approval.state !== "pending" ? approval.at : startedAt);
  const ms = durationMs ?? Math.max(0, closedAt - began);
  const attributes: Record<string, string> = {
    "gen_ai.operation.name": EXECUTE_TOOL,
    "gen_ai.tool.name": spanText(tool),
  };
  const error = callError(to, view);
  if (error !== undefined) attributes["error.type"] = error;
  return { name: "gen_ai.execute_tool.duration", seconds: ms / 1000, attributes };
}
