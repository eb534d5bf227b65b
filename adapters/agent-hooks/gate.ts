// Gate of agents
// For agents other than Claude Code: reads the payload of a hook that waits, and prints the answer in the form that agents obey.
//
//   Owns:          the words for allow, deny and ask, in the form that several agents share.
//   Does not own:  waiting for the answer (adapters/gate), reading the payload's fields (runtime/waiting-payload).
//
// AGENT-HOOKS-GATE-1. Some agents make the call, without asking their user, if a hook answers "ask". An agent that does so never
//     gets "ask": if nobody answers in Signalbox, the gate denies the call.

import { defined } from "../../machines/defined.ts";
import type { GateForm, Verdict } from "../../runtime/gate-form.ts";
import { waitingHook } from "../../runtime/waiting-payload.ts";

const EVENTS = ["PreToolUse"] as const;

/** @param canAsk whether the agent asks its user if a hook answers "ask". */
export const gateFormOf = (canAsk: boolean): GateForm => ({
  read: (body) =>
    waitingHook(body, EVENTS, (hookEventName, verdict) =>
      JSON.stringify({ hookSpecificOutput: { hookEventName, ...printed(verdict, canAsk) } }),
    ),
  payloadOf: ({ tool, input, toolUseId, agentId, session }, cwd) => ({
    hook_event_name: "PreToolUse",
    tool_name: tool,
    tool_input: input,
    ...defined({ session_id: session, cwd, tool_use_id: toolUseId, agent_id: agentId }),
  }),
});

function printed(verdict: Verdict, canAsk: boolean): object {
  switch (verdict.type) {
    case "allow":
      return { updatedInput: verdict.updatedInput, permissionDecision: "allow" };
    case "deny":
      return { permissionDecision: "deny", permissionDecisionReason: verdict.message };
    case "deny-closed":
      return { permissionDecision: "deny", permissionDecisionReason: verdict.why };
    case "ask":
      return { permissionDecision: canAsk ? "ask" : "deny", permissionDecisionReason: verdict.why };
  }
}
