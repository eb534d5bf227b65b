// Call ref
// Reads from a hook payload, a content block or a line of a stream or transcript which call and which subagent it is about.
//
//   Owns:          the fields that name a call; the fields of an Agent tool's result that name the subagent it started.
//   Does not own:  finding the named call (correlation); the input's canonical form (the door); storing which call started which
//                  subagent (the session).

import { defined } from "../../machines/defined.ts";
import type { AgentId } from "../../machines/ids.ts";
import type { AgentLinked, CallRef } from "../../machines/inputs.ts";
import { givenInput } from "../../runtime/canonical.ts";
import {
  type Fields,
  named,
  optionalChild,
  optionalId,
  optionalName,
  optionalText,
  pathOf,
  requiredId,
} from "../../runtime/foreign-fields.ts";

/** @throws RefusedError if an existing field has the wrong type, or the input cannot be stored as JSON. */
export function callRef(
  fields: Fields,
  keys: Readonly<Record<"toolUseId" | "tool" | "input", string>>,
): CallRef {
  const input = fields.values[keys.input];
  return defined({
    toolUseId: optionalId(fields, keys.toolUseId),
    tool: optionalName(fields, keys.tool),
    input: input === undefined ? undefined : named(pathOf(fields, keys.input), () => givenInput(input)),
  });
}

/** @returns the agent's id; undefined for the main agent. @throws RefusedError */
export const agentOf = (fields: Fields, key: string): AgentId | undefined =>
  optionalId(fields, key) as AgentId | undefined;

/** @param key the field with the Agent tool's result. @returns the subagent's id; undefined if the result names no subagent. */
export function startedAgent(fields: Fields, key: string): AgentId | undefined {
  const result = optionalChild(fields, key);
  if (result === undefined || optionalText(result, "agentId") === undefined) return undefined;
  return requiredId(result, "agentId") as AgentId;
}

/**
 * Finds the subagent in a result whose line does not name the tool. A field `prompt` shows that the tool is the Agent tool: only
 * this tool's result repeats the subagent's prompt.
 */
export function linkOfResult(fields: Fields, key: string, toolUseId: string): AgentLinked | undefined {
  const result = optionalChild(fields, key);
  if (result === undefined || typeof result.values["prompt"] !== "string") return undefined;
  const agentId = startedAgent(fields, key);
  return agentId && { type: "agent.linked", agentId, toolUseId };
}
