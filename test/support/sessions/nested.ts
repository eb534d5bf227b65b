// Nested
// Messages of subagents, however they are named.
//
//   Owns:          the inputs.
//   Does not own:  their right result.

import type { AgentId, CallRef, Input } from "../../../machines/index.ts";
import type { SessionRun } from "./session-run.ts";

/** Who speaks: an agent's id, the call it runs under, or both. */
export interface Who {
  readonly agent?: string;
  readonly under?: string;
}

export const by = ({ agent, under }: Who) => ({
  ...(agent !== undefined && { agentId: agent as AgentId }),
  ...(under !== undefined && { parentToolUseId: under }),
});
export const ref = (toolUseId: string, tool = "Read"): CallRef => ({ toolUseId, tool });
export const starts = (who: Who, toolUseId: string, tool = "Read"): Input => ({
  type: "tool.started",
  call: ref(toolUseId, tool),
  ...by(who),
});
export const ends = (who: Who, toolUseId: string): Input => ({
  type: "tool.finished",
  call: { toolUseId },
  output: "ok",
  ...by(who),
});

export const MAIN: Who = {};

export const statesOf = (run: SessionRun) => run.calls.map(({ id, state }) => `${id} ${state}`);
