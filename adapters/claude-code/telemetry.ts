// Telemetry
// Translates an event of the client's own telemetry: who decided about a call, and how the call ended.
//
//   Owns:          the names and fields of the telemetry events.
//   Does not own:  the protocol that carries the events (otlp); journalling, matching events with calls, the clock.
//
// TELEMETRY-1. Translation is pure: the same event always gives the same inputs, whatever events came before.
// TELEMETRY-2. Telemetry names calls only by their ids. An event without an id (from an older client) is stored, and changes
//     nothing.
// TELEMETRY-3. A result from telemetry has no text, so it never replaces the text from a hook or a transcript.

import { defined } from "../../machines/defined.ts";
import type { SourceInput } from "../../machines/inputs.ts";
import { agentOf } from "./call-ref.ts";
import {
  type Fields,
  fieldsOf,
  optionalId,
  optionalName,
  optionalText,
} from "../../runtime/foreign-fields.ts";
import { requiredName, wrongShape } from "../../runtime/foreign-fields.ts";
import { resultInputs } from "./tool-result.ts";
import { unknown } from "./translated.ts";

type Translate = (
  event: Fields,
  call: { readonly toolUseId: string; readonly tool?: string },
) => readonly SourceInput[];

const EVENTS: ReadonlyMap<string, Translate> = new Map<string, Translate>([
  ["tool_decision", toolDecision],
  ["tool_result", toolResult],
]);

export const isRead = (name: string): boolean => EVENTS.has(name);

/** @throws RefusedError naming the field, if an event of a known name has the wrong shape. */
export function translateTelemetry(data: unknown): readonly SourceInput[] {
  const event = fieldsOf(data);
  const name = requiredName(event, "event.name");
  const call = defined({
    toolUseId: optionalId(event, "tool_use_id"),
    tool: optionalName(event, "tool_name"),
  });
  const { toolUseId } = call;
  const inputs = toolUseId === undefined ? undefined : EVENTS.get(name)?.(event, { ...call, toolUseId });
  return inputs ?? [unknown(name)];
}

const baseOf = (event: Fields) => defined({ agentId: agentOf(event, "agent_id") });

/**
 * Makes the input without a reason, because telemetry reports only a decision's source: `user_permanent` may stand for a rule in
 * the user's settings, and `user_temporary` for a rule of the session.
 */
function toolDecision(event: Fields, call: Parameters<Translate>[1]): readonly SourceInput[] {
  const base = baseOf(event);
  const source = requiredName(event, "source");
  const { decision } = event.values;
  if (decision === "accept")
    return [{ ...base, type: "tool.permission", call, decision, source, bare: true, settles: true }];
  if (decision !== "reject") throw wrongShape("decision", "accept or reject", decision);
  const denied = resultInputs({ call, isError: true, permission: { decision, source } }, base);
  return denied.map((input) =>
    input.type === "tool.permission" ? { ...input, bare: true as const, settles: true as const } : input,
  );
}

function toolResult(event: Fields, call: Parameters<Translate>[1]): readonly SourceInput[] {
  const base = baseOf(event);
  const { success } = event.values;
  const durationMs = amount(event, "duration_ms");
  if (success === "true" || success === true)
    return [defined({ ...base, type: "tool.finished", call, durationMs, bare: true })];
  if (success !== "false" && success !== false) throw wrongShape("success", "true or false", success);
  const error = optionalText(event, "error") ?? optionalText(event, "error_type") ?? "";
  return [defined({ ...base, type: "tool.failed", call, error, durationMs, bare: true })];
}

function amount(event: Fields, key: string): number | undefined {
  const value = event.values[key];
  const number = typeof value === "string" && value !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) && number >= 0 ? number : undefined;
}
