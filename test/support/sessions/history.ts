// History
// What a transcript tells of before and after its session's process began.
//
//   Owns:          the few messages, the moment.
//   Does not own:  whether they are history (machines/routing/past-marks).

import type { AgentId, Input } from "../../../machines/index.ts";
import { toolInput } from "../../../runtime/canonical.ts";

export const HOOK = "claude-code.hook";
export const LINE = "claude-code.transcript";
export const BEGAN = 1_000_000;

export const ref = (id: string, command = "ls") => ({
  toolUseId: id,
  tool: "Bash",
  input: toolInput({ command }),
});
export const prompt = (promptId: string, text: string): Input => ({
  type: "prompt.submitted",
  promptId,
  text,
});
export const announced = (id: string, command = "ls"): Input => ({
  type: "tool.announced",
  call: ref(id, command),
  messageId: `m-${id}`,
});
export const stop = { type: "turn.stopped", outcome: "completed" } as const satisfies Input;
export const by = (agentId: string, input: Input): Input =>
  ({ ...input, agentId: agentId as AgentId }) as Input;
