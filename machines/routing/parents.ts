// Parents
// Finds the agent that sent a message, and the call that started this agent.
//
//   Owns:          the names of an agent; which call started which subagents.
//   Does not own:  the batches and open calls of an agent (agents), denying an agent's calls (cascade).
//   Decided in:    docs/decisions/0009-an-agents-parent.md.
//
// I-47. A subagent has one parent: the call that the first message about the agent named as its start. If a message gives only
//       that call and no agent id, the agent gets a name made of the call, and keeps this name. The first agent id that is
//       reported for the same call becomes the agent's second name, unless an earlier message used this id. A call never moves
//       from one agent to another.

import { agentOf, agents, calls, links, names } from "../books.ts";
import { callOfUse } from "../matching/correlation.ts";
import { type AgentId, type CallId, MAIN_AGENT } from "../ids.ts";
import type { AgentLinked, AgentStarted, SourceInput } from "../inputs.ts";
import type { Records } from "../records.ts";
import { setAgent } from "./agents.ts";
import type { Scene } from "./scene.ts";

/** The agent that a message is from. Stores the call that started the agent, if the message names that call. */
export function speaker(scene: Scene, { agentId, parentToolUseId: use }: SourceInput): AgentId {
  if (agentId !== undefined) return use === undefined ? known(scene, agentId) : learn(scene, agentId, use);
  if (use === undefined) return MAIN_AGENT;
  return links.get(scene.records, use) ?? learn(scene, unnamed(scene, use), use);
}

export function agentStarted(scene: Scene, { agentId, agentType: type }: AgentStarted): void {
  setAgent(scene, known(scene, agentId), { state: "running", ...(type !== undefined && { type }) });
}

export function agentLinked(scene: Scene, { agentId, toolUseId }: AgentLinked): void {
  learn(scene, agentId, toolUseId);
}

const known = (scene: Scene, id: AgentId): AgentId => names.get(scene.records, id) ?? id;

const unnamed = (scene: Scene, use: string): AgentId => scene.digest("via_", [use]) as AgentId;

/** Stores which call started an agent. @returns the name that the agent keeps. */
function learn(scene: Scene, name: AgentId, use: string): AgentId {
  const { records } = scene;
  const id = known(scene, name);
  const book = agents.get(records, id);
  if (id === MAIN_AGENT || book?.parentToolUseId !== undefined || isOwnCall(records, id, use)) return id;
  const byCall = unnamed(scene, use);
  const first = book ? undefined : agents.get(records, byCall);
  if (first && first.knownAs === undefined) {
    names.set(records, id, byCall);
    setAgent(scene, byCall, { knownAs: id });
    return byCall;
  }
  if (id !== byCall && links.get(records, use) === undefined) links.set(records, use, id);
  setAgent(scene, id, { parentToolUseId: use });
  return id;
}

function isOwnCall(records: Records, id: AgentId, use: string): boolean {
  const call = callOfUse(records, use);
  return call !== undefined && calls.get(records, call)?.agentId === id;
}

export function parentCall(records: Records, id: AgentId): CallId | undefined {
  const { parentToolUseId: use } = agentOf(records, id);
  const call = use === undefined ? undefined : callOfUse(records, use);
  return use === undefined || isOwnCall(records, id, use) ? undefined : call;
}

/**
 * An agent, and its duplicate if it has one: an agent with the id made from the call that started this agent, which remained
 * separate because this agent's id was already in use. One stop ends both agents.
 */
export function wholeAgent(scene: Scene, id: AgentId): readonly AgentId[] {
  const { parentToolUseId: use } = agentOf(scene.records, id);
  if (use === undefined || links.get(scene.records, use) !== id) return [id];
  const byCall = unnamed(scene, use);
  return agents.get(scene.records, byCall) ? [id, byCall] : [id];
}
