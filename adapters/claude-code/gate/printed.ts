// Printed
// The text that a hook prints for the client, for each way in which an approval may end.
//
//   Owns:          the words for allow, deny and ask, by event; which hooks may wait; the payload with which a program that is
//                  no hook requests an approval.
//   Does not own:  how the approval ended (adapters/gate).

import type { GateForm, Verdict } from "../../../runtime/gate-form.ts";
import { defined } from "../../../machines/defined.ts";
import { waitingHook } from "../../../runtime/waiting-payload.ts";

const GATE_EVENTS = ["PermissionRequest", "PreToolUse"] as const;
type GateEvent = (typeof GATE_EVENTS)[number];

/** @returns the text for standard output; empty if the client should go on as without a hook: the client then asks its user. */
export function printed(event: GateEvent, verdict: Verdict): string {
  const output = event === "PreToolUse" ? preToolUse(verdict) : permissionRequest(verdict);
  return output === undefined
    ? ""
    : JSON.stringify({ hookSpecificOutput: { hookEventName: event, ...output } });
}

function permissionRequest(verdict: Verdict): object | undefined {
  switch (verdict.type) {
    case "allow":
      return { decision: { updatedInput: verdict.updatedInput, behavior: "allow" } };
    case "deny": {
      const { message, interrupt } = verdict;
      return { decision: { behavior: "deny", message, ...(interrupt && { interrupt }) } };
    }
    case "deny-closed":
      return { decision: { behavior: "deny", message: verdict.why } };
    case "ask":
      return undefined;
  }
}

function preToolUse(verdict: Verdict): object {
  switch (verdict.type) {
    case "allow":
      return { updatedInput: verdict.updatedInput, permissionDecision: "allow" };
    case "deny":
      return { permissionDecision: "deny", permissionDecisionReason: verdict.message };
    case "deny-closed":
      return { permissionDecision: "deny", permissionDecisionReason: verdict.why };
    case "ask":
      return { permissionDecision: "ask", permissionDecisionReason: verdict.why };
  }
}

/**
 * Makes the payload for a call about which another program than a hook asks, such as the Agent SDK's callback: the same payload
 * that the client would give its own hook.
 */
const payloadOf: GateForm["payloadOf"] = ({ tool, input, toolUseId, agentId, session }, cwd) => ({
  hook_event_name: "PermissionRequest",
  tool_name: tool,
  tool_input: input,
  ...defined({ session_id: session, cwd, tool_use_id: toolUseId, agent_id: agentId }),
});

export const gateForm: GateForm = { read: (body) => waitingHook(body, GATE_EVENTS, printed), payloadOf };
