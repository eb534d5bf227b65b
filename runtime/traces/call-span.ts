// Call span
// Makes the span of a tool call, from when the call was first seen to its end, and the spans of later corrections of the call.
//
//   Owns:          the name of a call's span, its attributes, which ends of a call are errors, how long the tool ran.
//   Does not own:  the ids of the span (spans-of), the states of a call (machines), who answered (approval-span).
//
// CALL-SPAN-1. A call ends with one of six outcomes: completed, failed, denied, cancelled, deferred or lost. The attribute
//     `signalbox.call.outcome` gives the outcome. For each outcome except completed, the span also has an `error.type` and a
//     status of its own.
// CALL-SPAN-2. The span of a call without an approval has the decision `never-asked`, which does not mean approved.
// CALL-SPAN-3. A call's span contains no input, output or error text of a tool, and no name of a person.
// CALL-SPAN-4. The time that a person took to answer never counts as a tool's running time.

import { isPersons } from "../../machines/index.ts";
import type { CallView } from "../rows/views.ts";
import { type Measure, type SpanAttributes, spanText } from "./span.ts";

/** The name of a tool call as an operation, in the GenAI conventions. */
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

/**
 * The attributes of a call's span.
 * @param to the state that the call has entered.
 * @param where the call's session and workspace.
 */
export function callAttributes(
  to: string,
  view: CallView,
  where: { readonly workspace: string; readonly sessionId: string },
): SpanAttributes {
  const { id, tool, toolUseId, requestId, agentId, denial, missing, executedAfterDenial } = view;
  // All attributes of a call are added to one object, because copying the object would take as long as making it.
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

/** Adds attributes that say how the call was allowed or denied, or that nobody was asked (CALL-SPAN-2). */
function askedOf({ approval, permission }: CallView, attributes: Record<string, string | boolean>): void {
  const decision = "signalbox.approval.decision";
  if (approval) {
    attributes["signalbox.approval.id"] = approval.id;
    attributes[decision] = approval.state;
  } else if (permission && isPersons(permission)) {
    // If no approval was requested, the client may still have reported that a person allowed or refused the call.
    attributes[decision] = permission.decision === "accept" ? "approved" : "denied";
    attributes["signalbox.approval.answered_by"] = "person";
  }
}

/** How long the tool ran; undefined for a call without a result (CALL-SPAN-4). */
export function callMeasure(to: string, view: CallView): Measure | undefined {
  if (to !== "completed" && to !== "failed") return undefined;
  const { tool, createdAt, startedAt = createdAt, closedAt = startedAt, approval, durationMs } = view;
  // A client reports a call's start before it asks for approval, so a tool that needed an approval began only after the answer.
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
