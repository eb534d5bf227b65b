// Payload
// How a hook of the client asks at the gate, and how another program of the client asks in its place.
//
//   Owns:          which hooks may wait, the payload of a call that no hook asks about.
//   Does not own:  reading a payload (runtime/waiting-payload), the words for the answer (printed), the process
//                  (adapters/gate-main.ts).

import { defined } from "../../../machines/defined.ts";
import type { GateForm } from "../../../runtime/gate-form.ts";
import { waitingHook } from "../../../runtime/waiting-payload.ts";
import { GATE_EVENTS, printed } from "./printed.ts";

/** A call that another program asks about gets the payload that the client's own hook would have. */
const payloadOf: GateForm["payloadOf"] = ({ tool, input, toolUseId, agentId, session }, cwd) => ({
  hook_event_name: "PermissionRequest",
  tool_name: tool,
  tool_input: input,
  ...defined({ session_id: session, cwd, tool_use_id: toolUseId, agent_id: agentId }),
});

export const gateForm: GateForm = { read: (body) => waitingHook(body, GATE_EVENTS, printed), payloadOf };
