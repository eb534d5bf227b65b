// Hook answer
// Translates, from a recording, what another program's hook printed: a decision that Signalbox did not make.
//
//   Owns:          the known decisions of PreToolUse and PermissionRequest hooks.
//   Does not own:  making the decisions.
//
// HOOK-ANSWER-1. An output without a known decision counts as no decision, because the client finds none in it, either.

import { jsonIn } from "../../machines/json.ts";
import { defined } from "../../machines/defined.ts";
import type { SourceInput } from "../../machines/inputs.ts";
import { type Fields, fieldsOf, optionalChild, optionalText } from "../../runtime/foreign-fields.ts";
import { hookCall, hookEvent, type HookEvent } from "./hook.ts";
import type { Translated } from "./translated.ts";

/**
 * @param answer what the hook printed, or the body of an HTTP hook's answer.
 * @throws RefusedError if the payload is wrong, but never because of the answer.
 */
export function translateHookAnswer(payload: unknown, answer: unknown): Translated {
  const event = hookEvent(payload);
  const output = hookOutput(answer);
  return { sessionId: event.sessionId, inputs: output === undefined ? [] : decisionOf(event, output) };
}

function hookOutput(answer: unknown): Fields | undefined {
  // An answer that is not JSON is plain text: the client shows it and goes on.
  const output: unknown = typeof answer === "string" ? jsonIn(answer) : answer;
  return optionalChild(fieldsOf({ output }), "output");
}

function decisionOf(event: HookEvent, output: Fields): readonly SourceInput[] {
  const specific = optionalChild(output, "hookSpecificOutput");
  if (specific?.values["hookEventName"] !== event.name) return [];
  if (event.name === "PreToolUse") return preToolUse(event, specific);
  if (event.name === "PermissionRequest") return permissionRequest(event, specific);
  return [];
}

function preToolUse(event: HookEvent, specific: Fields): readonly SourceInput[] {
  const { base } = event;
  const call = hookCall(event);
  const message = optionalText(specific, "permissionDecisionReason");
  switch (specific.values["permissionDecision"]) {
    case "deny":
      return [defined({ ...base, type: "tool.denied", call, verdict: "hook", message })];
    case "defer":
      return [{ ...base, type: "tool.deferred", call }];
    case "allow":
      return [{ ...base, type: "tool.permission", call, decision: "accept", source: "hook" }];
    case "ask":
      return [{ ...base, type: "unknown", name: "PreToolUse/ask" }];
    default:
      return [];
  }
}

function permissionRequest(event: HookEvent, specific: Fields): readonly SourceInput[] {
  const decision = optionalChild(specific, "decision");
  const behavior = decision?.values["behavior"];
  if (decision === undefined || (behavior !== "allow" && behavior !== "deny")) return [];
  return [
    defined({
      ...event.base,
      type: "approval.answered",
      call: hookCall(event),
      decision: behavior === "allow" ? "approve" : "deny",
      by: "hook",
      message: optionalText(decision, "message"),
      interrupt: decision.values["interrupt"] === true ? true : undefined,
    }),
  ];
}
