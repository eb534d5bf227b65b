// Model: speakers
// I-47 restated: which agent a message is from, and which call started that agent.

import type { SourceInput } from "../../../machines/index.ts";
import { MAIN, type World } from "./world.ts";

/** The agent known only by the call it runs under. */
const under = (use: string): string => `under ${use}`;

export function speaker(world: World, { agentId, parentToolUseId: use }: SourceInput): string {
  if (use === undefined) return agentId === undefined ? MAIN : (world.names.get(agentId) ?? agentId);
  if (agentId !== undefined) return taught(world, agentId, use);
  const byId = world.taught.find((each) => each.use === use && each.agent !== under(use));
  return byId?.agent ?? taught(world, under(use), use);
}

/** An agent is told which call it runs under; the first such message counts. */
export function taught(world: World, name: string, use: string): string {
  const id = world.names.get(name) ?? name;
  const isNew = !world.agents.has(id);
  const calls = world.calls.filter(({ agent, useId }) => agent === id && useId === use);
  if (id === MAIN || calls.length > 0 || world.agents.get(id)?.startedBy !== undefined) return id;
  const heardOf = world.agents.get(under(use));
  if (isNew && heardOf && heardOf.knownAs === undefined) {
    heardOf.knownAs = id;
    world.names.set(id, under(use));
    return under(use);
  }
  world.agent(id).startedBy = use;
  world.taught.push({ agent: id, use });
  return id;
}

/** The agent, and one known only by the same call: they are one unless another is known by an id. */
export function whole(world: World, agent: string): readonly string[] {
  const use = world.agents.get(agent)?.startedBy;
  if (use === undefined || speaker(world, { type: "unknown", name: "", parentToolUseId: use }) !== agent)
    return [agent];
  return world.agents.has(under(use)) ? [agent, under(use)] : [agent];
}
