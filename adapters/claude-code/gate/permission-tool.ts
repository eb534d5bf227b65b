// Permission tool
// The tool that the client calls for `--permission-prompt-tool`; the gate answers.
//
//   Owns:          the tool's name and fields, the tool's words for the answer.
//   Does not own:  requesting the approval (the caller passes a function for that), the protocol (mcp).
//
// PERMISSION-TOOL-1. A call with malformed arguments is denied.

import { isFields } from "../../../machines/json.ts";
import type { AskAboutCall } from "../../../runtime/gate-form.ts";
import { permissionResult } from "./can-use-tool.ts";

export const PERMISSION_TOOL = {
  name: "approve",
  description: "Asks in Signalbox whether a tool call may be made, and waits for the answer.",
  inputSchema: {
    type: "object",
    properties: { tool_name: { type: "string" }, input: { type: "object" }, tool_use_id: { type: "string" } },
    required: ["tool_name", "input"],
  },
} as const;

/** @param given the tool's arguments, as the client sent them. @returns the text that the client reads. */
export async function permissionAnswer(
  ask: AskAboutCall,
  given: unknown,
  gone: AbortSignal,
): Promise<string> {
  const { tool_name: tool, input, tool_use_id: toolUseId } = isFields(given) ? given : {};
  const fields = isFields(input) ? input : undefined;
  if (typeof tool !== "string" || fields === undefined)
    return JSON.stringify({ behavior: "deny", message: "The request does not name a tool and its input." });
  const named = typeof toolUseId === "string" && toolUseId !== "" ? { toolUseId } : {};
  const verdict = await ask({ tool, input: fields, gone, ...named });
  return JSON.stringify(permissionResult(verdict, fields));
}
