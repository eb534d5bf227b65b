// Gate
// Translates what a gate brings: a hook's payload that waits for its answer.
//
//   Owns:          which hooks may wait, and what they ask.
//   Does not own:  the payload's fields (hook.ts), the waiting (runtime/gate).
//
// CLAUDE-CODE-GATE-1. A PreToolUse that waits is a start and an approval; a PermissionRequest is the approval alone.
// CLAUDE-CODE-GATE-2. Each door has a channel of its own: two of them that ask about one call share its approval.
// CLAUDE-CODE-GATE-3. An approval always has an input to show: a payload without an input, or with one that is no
//     object, asks for none.

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
import type { MakeToolInput } from "./translated.ts";

/** @param gate what the gate said of itself. @throws RefusedError for another hook, or a wrong shape. */
export function translateGate(
  payload: unknown,
  gate: Fields,
  toolInput: MakeToolInput,
): readonly SourceInput[] {
  const event = hookEvent(payload, toolInput);
  const { base, name } = event;
  // The gate makes its ids in the form they may have here.
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
  return name === "PreToolUse" ? [...translateHook(payload, toolInput).inputs, approval] : [approval];
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
