// Updates
// Reads what an agent that speaks the Agent Client Protocol reports about a call.
//
//   Owns:          reading an update; the purpose of a call and its refusal, in the agent's words.
//   Does not own:  what is stored about a call (calls).

import { type Fields, isFields } from "../../../machines/json.ts";
import { STATUSES, type Update } from "../told.ts";

export function updateIn({ sessionUpdate, toolCallId, ...told }: Fields): Update | undefined {
  if (sessionUpdate !== "tool_call" && sessionUpdate !== "tool_call_update") return undefined;
  if (typeof toolCallId !== "string" || toolCallId === "") return undefined;
  const status = STATUSES.find((each) => each === told["status"] && each !== "declined");
  return { call: toolCallId, isBegun: sessionUpdate === "tool_call", told, status };
}

/**
 * The call's purpose in the agent's words: the call's description, or a title that says more than the command or the tool's name.
 */
export function aboutOf({ title, rawInput }: Fields): string | undefined {
  const input = isFields(rawInput) ? rawInput : {};
  const { description } = input;
  const isTelling =
    typeof title === "string" && /\s/.test(title.trim()) && !Object.values(input).includes(title);
  const about = typeof description === "string" ? description : isTelling ? title : "";
  return about.trim() || undefined;
}

/**
 * Whether the agent says in its own words that the call did not run because this or another call was rejected (PROXY-CALLS-3).
 */
export function isRefused({ rawOutput }: Fields): boolean {
  if (!isFields(rawOutput)) return false;
  const { code, error } = rawOutput;
  return code === "rejected" || (typeof error === "string" && error.startsWith(OPENCODE_REJECTED));
}

const OPENCODE_REJECTED = "The user rejected permission to use this specific tool call";
