// Payload
// What a hook that waits was told by its client: read strictly, for a client of any version.
//
//   Owns:          which fields an approval needs, and the words for a payload without them.
//   Does not own:  the rest of the payload (the engine reads it), the words for the answer (printed), the
//                  process (adapters/gate-main.ts).
//
// GATE-PAYLOAD-1. A payload that is not understood is refused in words, and nothing is asked or allowed.
// GATE-PAYLOAD-2. Fields that are not known here change nothing: they go to the engine as they came.

import { defined } from "../../../machines/defined.ts";
import { toolInput } from "../../../runtime/canonical.ts";
import type { GateForm, WaitingHook } from "../../../runtime/gate-form.ts";
import { isGateEvent, printed } from "./printed.ts";

const NEXT =
  "Nothing is allowed. Put in the hooks again with `npx signalbox install`; if it stays, this client is too new or too old.";

/** @throws Error in words (GATE-PAYLOAD-1). */
function read(body: Uint8Array): WaitingHook {
  const payload = objectIn(body);
  const { hook_event_name: event, tool_name: tool, tool_input: input, session_id: session } = payload;
  if (!isGateEvent(event))
    throw refused(
      `hook_event_name is ${shown(event)}, and only PermissionRequest and PreToolUse can be answered`,
    );
  if (typeof session !== "string" || session === "") throw refused(`session_id is ${shown(session)}`);
  if (typeof tool !== "string" || tool === "") throw refused(`tool_name is ${shown(tool)}`);
  if (!isObject(input)) throw refused(`tool_input is ${shown(input)}`);
  return { inputHash: toolInput(input).hash, printed: (verdict) => printed(event, verdict) };
}

/** Asked about by another door of the client, it is as if the client asked. */
const payloadOf: GateForm["payloadOf"] = ({ tool, input, toolUseId, agentId, session }, cwd) => ({
  hook_event_name: "PermissionRequest",
  tool_name: tool,
  tool_input: input,
  ...defined({ session_id: session, cwd, tool_use_id: toolUseId, agent_id: agentId }),
});

export const gateForm: GateForm = { read, payloadOf };

function objectIn(body: Uint8Array): Readonly<Record<string, unknown>> {
  let payload: unknown;
  try {
    payload = JSON.parse(Buffer.from(body).toString("utf8"));
  } catch {
    throw refused("it is no JSON");
  }
  if (!isObject(payload)) throw refused("it is no JSON object");
  return payload;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Short: it may be anything. */
function shown(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === "") return "empty";
  if (typeof value === "string") return JSON.stringify(value.slice(0, 64));
  if (value === null) return "null";
  return Array.isArray(value) ? "a list" : `of type ${typeof value}`;
}

const refused = (why: string): Error =>
  new Error(`Signalbox does not understand what the client told this hook: ${why}. ${NEXT}`);
