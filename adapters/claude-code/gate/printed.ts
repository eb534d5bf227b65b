// Printed
// The text that a hook prints for the client, for each way in which an approval may end.
//
//   Owns:          the client's words for allow, deny and ask, by event; which hooks may wait, and the payload of a call that
//                  another program asks about.
//   Does not own:  how the approval ended (adapters/gate).

import type { GateForm, Verdict } from "../../../runtime/gate-form.ts";
import { defined } from "../../../machines/defined.ts";
import { waitingHook } from "../../../runtime/waiting-payload.ts";

/** The hooks that may wait for an answer. */
const GATE_EVENTS = ["PermissionRequest", "PreToolUse"] as const;
type GateEvent = (typeof GATE_EVENTS)[number];

/** @returns the text for standard output; empty if the client is to go on as without a hook, and so ask its user. */
export function printed(event: GateEvent, verdict: Verdict): string {
  const output = event === "PreToolUse" ? preToolUse(verdict) : permissionRequest(verdict);
  return output === undefined
    ? ""
    : JSON.stringify({ hookSpecificOutput: { hookEventName: event, ...output } });
}

function permissionRequest(verdict: Verdict): object | undefined {
  switch (verdict.type) {
    case "allow":
      return { decision: { ...edited(verdict.updatedInput), behavior: "allow" } };
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
      return { ...edited(verdict.updatedInput), permissionDecision: "allow" };
    case "deny":
      return { permissionDecision: "deny", permissionDecisionReason: verdict.message };
    case "deny-closed":
      return { permissionDecision: "deny", permissionDecisionReason: verdict.why };
    case "ask":
      return { permissionDecision: "ask", permissionDecisionReason: verdict.why };
  }
}

const edited = (input: unknown): object => (input === undefined ? {} : { updatedInput: input });

/** A call that another program asks about gets the payload that the client's own hook would have. */
const payloadOf: GateForm["payloadOf"] = ({ tool, input, toolUseId, agentId, session }, cwd) => ({
  hook_event_name: "PermissionRequest",
  tool_name: tool,
  tool_input: input,
  ...defined({ session_id: session, cwd, tool_use_id: toolUseId, agent_id: agentId }),
});

export const gateForm: GateForm = { read: (body) => waitingHook(body, GATE_EVENTS, printed), payloadOf };
