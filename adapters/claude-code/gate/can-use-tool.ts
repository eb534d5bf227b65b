// Can use tool
// The callback by which the Agent SDK asks whether a tool may be used; the gate answers.
//
//   Owns:          the SDK's words for the call and for the answer.
//   Does not own:  requesting the approval (the caller passes a function for that).
//
// CAN-USE-TOOL-1. The callback allows the approved or edited input, not the caller's object, which may have changed meanwhile.
// CAN-USE-TOOL-2. The callback never throws: without an answer it denies the call, with the reason.

import { defined } from "../../../machines/defined.ts";
import { isFields } from "../../../machines/json.ts";
import type { AskAboutCall, Verdict } from "../../../runtime/gate-form.ts";

export interface ToolUse {
  /** The SDK aborts this signal when it no longer wants the answer. */
  readonly signal: AbortSignal;
  readonly toolUseID?: string;
  readonly agentID?: string;
}

export type PermissionResult =
  | {
      readonly behavior: "allow";
      readonly updatedInput: Record<string, unknown>;
      readonly toolUseID?: string;
    }
  | {
      readonly behavior: "deny";
      readonly message: string;
      readonly interrupt?: boolean;
      readonly toolUseID?: string;
    };

export type CanUseTool = (
  toolName: string,
  input: Record<string, unknown>,
  use: ToolUse,
) => Promise<PermissionResult>;

/** @param sessionOf returns the id of the SDK's session once it is known. */
export function canUseTool(ask: AskAboutCall, sessionOf: () => string | undefined): CanUseTool {
  return async (tool, given, { signal, toolUseID, agentID }) => {
    const named = toolUseID === undefined ? {} : { toolUseID };
    let input: Record<string, unknown>;
    try {
      input = structuredClone(given);
    } catch (error) {
      return { behavior: "deny", message: `The input cannot be shown: ${String(error)}`, ...named };
    }
    const session = sessionOf();
    const verdict = await ask({
      tool,
      input,
      gone: signal,
      ...defined({ toolUseId: toolUseID, agentId: agentID, session }),
    });
    return { ...permissionResult(verdict, input), ...named };
  };
}

/** The verdict in the form that the client reads. @param input the call's input, which the verdict is about. */
export function permissionResult(verdict: Verdict, input: Record<string, unknown>): PermissionResult {
  if (verdict.type === "allow")
    return { behavior: "allow", updatedInput: isFields(verdict.updatedInput) ? verdict.updatedInput : input };
  if (verdict.type !== "deny") return { behavior: "deny", message: verdict.why };
  const { message, interrupt } = verdict;
  return { behavior: "deny", message, ...(interrupt && { interrupt }) };
}
