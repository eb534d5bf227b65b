// Call ref
// Reads from a hook payload or a tool_use block which call it names.
//
//   Owns:          the fields that name a call.
//   Does not own:  finding that call (correlation); the canonical form of the input (the door).

import { defined } from "../../machines/defined.ts";
import type { AgentId } from "../../machines/ids.ts";
import type { CallRef } from "../../machines/inputs.ts";
import { type Fields, named, optionalId, optionalName, pathOf } from "../../runtime/foreign-fields.ts";
import type { MakeToolInput } from "./translated.ts";

export interface CallKeys {
  readonly toolUseId: string;
  readonly tool: string;
  readonly input: string;
}

/** @throws RefusedError if an existing field has the wrong type, or the input is no JSON that can be stored. */
export function callRef(fields: Fields, keys: CallKeys, toolInput: MakeToolInput): CallRef {
  const input = fields.values[keys.input];
  return defined({
    toolUseId: optionalId(fields, keys.toolUseId),
    tool: optionalName(fields, keys.tool),
    input: input === undefined ? undefined : named(pathOf(fields, keys.input), () => toolInput(input)),
  });
}

/** @returns the id of the subagent that the fields name; undefined for the main agent. @throws RefusedError */
export function agentOf(fields: Fields, key: string): AgentId | undefined {
  const agentId = optionalId(fields, key);
  return agentId === undefined ? undefined : (agentId as AgentId);
}
