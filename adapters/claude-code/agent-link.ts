// Agent link
// Finds in a result which subagent an Agent call started.
//
//   Owns:          the fields of the Agent tool's result.
//   Does not own:  storing the link (the session does).

import type { AgentId } from "../../machines/ids.ts";
import type { AgentLinked } from "../../machines/inputs.ts";
import { type Fields, optionalChild, optionalText, requiredId } from "../../runtime/foreign-fields.ts";

/** The subagent that the Agent tool's result under `key` names; undefined if it names none. */
export function startedAgent(fields: Fields, key: string): AgentId | undefined {
  const result = optionalChild(fields, key);
  if (result === undefined || optionalText(result, "agentId") === undefined) return undefined;
  return requiredId(result, "agentId") as AgentId;
}

/**
 * The link of a result whose line does not name the tool: the result must then also repeat the subagent's prompt, as only the
 * Agent tool's does.
 */
export function linkOfResult(fields: Fields, key: string, toolUseId: string): AgentLinked | undefined {
  const result = optionalChild(fields, key);
  if (result === undefined || typeof result.values["prompt"] !== "string") return undefined;
  const agentId = startedAgent(fields, key);
  return agentId && { type: "agent.linked", agentId, toolUseId };
}
