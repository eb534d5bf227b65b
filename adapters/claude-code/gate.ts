// Gate
// Translates the payload of a hook that waits for an answer at the gate.
//
//   Owns:          which hooks may wait, and which approval each requests.
//   Does not own:  the payload's fields (hook.ts), the waiting (runtime/gate).
//
// CLAUDE-CODE-GATE-1. A waiting hook requests an approval. A waiting PreToolUse hook also reports the call's start.
// CLAUDE-CODE-GATE-2. Each way to request an approval (a hook, the Agent SDK, the permission tool) has its own channel. If two
//     of them request one for the same call, the call gets one approval with both channels.
// CLAUDE-CODE-GATE-3. An approval always has an input to show: without an input that is an object, no approval is requested.

import { defined } from "../../machines/defined.ts";
import { RefusedError } from "../../runtime/errors/errors.ts";
import type { ApprovalId } from "../../machines/ids.ts";
import type { SourceInput } from "../../machines/inputs.ts";
import {
  child,
  type Fields,
  optionalAmount,
  optionalText,
  requiredId,
  requiredName,
} from "../../runtime/foreign-fields.ts";
import { hookCall, hookEvent, translateHook } from "./hook.ts";

/** @param gate the gate's data about itself. @throws RefusedError if the hook cannot wait, or a field has the wrong shape. */
export function translateGate(payload: unknown, gate: Fields): readonly SourceInput[] {
  const event = hookEvent(payload);
  const { base, name } = event;
  // The cast is safe: the gate makes ids in the form that the engine uses.
  const approvalId = requiredId(gate, "approvalId") as ApprovalId;
  const said = gate.values["answered"];
  if (said !== undefined)
    return [defined({ ...base, type: "approval.lapsed", approvalId, said: saidOf(said) })];
  if (name !== "PermissionRequest" && name !== "PreToolUse") throw cannotWait(name);
  child(event.fields, "tool_input");
  const via = optionalText(gate, "via");
  const deadlineAt = optionalAmount(gate, "deadlineAt");
  const approval: SourceInput = {
    ...base,
    type: "approval.requested",
    approvalId,
    call: hookCall(event),
    channel: via === undefined ? "gate" : `gate-${via}`,
    onDeadline: requiredName(gate, "onDeadline") === "deny" ? "deny" : "ask",
    ...(deadlineAt !== undefined && { deadlineAt }),
  };
  return name === "PreToolUse" ? [...translateHook(payload).inputs, approval] : [approval];
}

const saidOf = (said: unknown): "ask" | "deny" | undefined =>
  said === "ask" || said === "deny" ? said : undefined;

const cannotWait = (name: string): RefusedError =>
  new RefusedError(
    "WRONG_SHAPE",
    `A ${name} hook does not ask for an answer, so it cannot wait for one.`,
    "Only PermissionRequest and PreToolUse may wait.",
    "hook_event_name",
  );
