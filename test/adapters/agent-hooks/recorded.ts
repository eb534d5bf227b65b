// Recorded
// What the hooks of the real agents were given in one turn each, with the folder renamed; OpenCode's is what our plugin tells.
//
//   Owns:          the payloads, in order.
//   Does not own:  what they mean.

import { codexCli } from "../../../adapters/agent-hooks/codex.ts";
import { copilotCli } from "../../../adapters/agent-hooks/copilot.ts";
import { openCode } from "../../../adapters/agent-hooks/opencode.ts";

export const PROFILES = { codex: codexCli, copilot: copilotCli, opencode: openCode } as const;
export type AgentName = keyof typeof PROFILES;
export const NAMES = Object.keys(PROFILES) as readonly AgentName[];

const cwd = "/home/dev/shop";
const command = "touch ran.txt && echo hi";

const ofCodex = {
  session_id: "01a21939-d16b-7531-90d8-560f21fa0888",
  transcript_path: "/home/dev/.codex/sessions/2026/11/26/rollout.jsonl",
  cwd,
  model: "mock",
  permission_mode: "bypassPermissions",
};
const turn = { ...ofCodex, turn_id: "01a21939-d17c-7871-8054-d2993689b181" };
const ofCopilot = { session_id: "cacf07be-5375-45e7-b396-a729e19ba1b8", cwd };
const ofOpenCode = { session_id: "ses_de6c4b4c3ffeG2Zr6N9qY94zY5", cwd };
const inTurn = { ...ofOpenCode, prompt_id: "msg_2193b4c1f0019Ktl4f8GF0Fvqs" };

export const RECORDED: Readonly<Record<AgentName, readonly Readonly<Record<string, unknown>>[]>> = {
  codex: [
    { ...ofCodex, hook_event_name: "SessionStart", source: "startup" },
    { ...turn, hook_event_name: "UserPromptSubmit", prompt: "go" },
    {
      ...{ ...turn, hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command } },
      tool_use_id: "call_15",
    },
    {
      ...{ ...turn, hook_event_name: "PostToolUse", tool_name: "Bash", tool_input: { command } },
      ...{ tool_response: "hi\n", tool_use_id: "call_15" },
    },
    { ...turn, hook_event_name: "Stop", stop_hook_active: false, last_assistant_message: "done" },
    { ...ofCodex, hook_event_name: "SessionEnd", reason: "other" },
  ],
  copilot: [
    {
      ...{ hook_event_name: "SessionStart", ...ofCopilot, timestamp: "2026-11-26T19:00:10.753Z" },
      ...{ source: "new", initial_prompt: "go" },
    },
    {
      ...{ hook_event_name: "UserPromptSubmit", ...ofCopilot, timestamp: "2026-11-26T19:00:10.926Z" },
      prompt: "go",
    },
    {
      ...{ hook_event_name: "PreToolUse", ...ofCopilot, timestamp: "2026-11-26T19:00:11.062Z" },
      ...{ tool_name: "Bash", tool_input: { command, description: "try" } },
    },
    {
      ...{ hook_event_name: "PostToolUse", ...ofCopilot, timestamp: "2026-11-26T19:00:11.338Z" },
      ...{ tool_name: "Bash", tool_input: { command, description: "try" } },
      tool_result: { result_type: "success", text_result_for_llm: "hi\n" },
    },
    {
      ...{ hook_event_name: "Stop", ...ofCopilot, timestamp: "2026-11-26T19:00:11.417Z" },
      ...{ stop_reason: "end_turn", stop_hook_active: false },
    },
    {
      ...{ hook_event_name: "SessionEnd", ...ofCopilot, timestamp: "2026-11-26T19:00:11.426Z" },
      reason: "complete",
    },
  ],
  opencode: [
    { hook_event_name: "SessionStart", ...ofOpenCode, source: "startup", title: "New session" },
    { hook_event_name: "UserPromptSubmit", ...inTurn, prompt: "go" },
    {
      ...{ hook_event_name: "PreToolUse", ...inTurn, tool_name: "bash", tool_use_id: "call_18" },
      tool_input: { command, description: "try" },
    },
    {
      ...{ hook_event_name: "PostToolUse", ...inTurn, tool_name: "bash", tool_use_id: "call_18" },
      ...{ tool_input: { command, description: "try" }, tool_response: "hi\n" },
    },
    { hook_event_name: "Stop", ...inTurn },
  ],
};

/** The one that would wait. */
export const asking = (name: AgentName): Readonly<Record<string, unknown>> => {
  const found = RECORDED[name].find((payload) => payload["hook_event_name"] === "PreToolUse");
  if (found === undefined) throw new Error("no call was recorded");
  return found;
};
