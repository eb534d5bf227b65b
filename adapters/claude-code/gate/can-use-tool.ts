// Can use tool
// The callback with which the Agent SDK asks whether a tool may be used, answered by the gate.
//
//   Owns:          the SDK's words for the call and for the answer.
//   Does not own:  requesting the approval (the caller passes a function for that).
//
// CAN-USE-TOOL-1. The allowed input is the one that was approved, or the edited one. The caller's object may have changed
//     meanwhile, and is not used.
// CAN-USE-TOOL-2. The callback never throws: without an answer it denies, with the reason.

import { defined } from "../../../machines/defined.ts";
import type { AskAboutCall } from "../../../runtime/gate-form.ts";

/** The part of the SDK's data beside tool and input that is used here. */
export interface ToolUse {
  /** Aborted when the answer is not wanted any more. */
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

/** The callback that the SDK's option `canUseTool` takes. */
export type CanUseTool = (
  toolName: string,
  input: Record<string, unknown>,
  use: ToolUse,
) => Promise<PermissionResult>;

/** @param sessionOf the SDK's session, once it is known. */
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
    if (verdict.type === "allow")
      return { behavior: "allow", updatedInput: objectOf(verdict.updatedInput) ?? input, ...named };
    if (verdict.type !== "deny") return { behavior: "deny", message: verdict.why, ...named };
    const { message, interrupt } = verdict;
    return { behavior: "deny", message, ...(interrupt && { interrupt }), ...named };
  };
}

function objectOf(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
}
