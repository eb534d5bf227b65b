// Printed
// What a hook prints for the client to obey, for each way in which an approval may end.
//
//   Owns:          the client's words for allow, deny and ask, by event.
//   Does not own:  which of them it is (waiting).
//
// PRINTED-1. "Allow" is printed for an answer that says so, and names the hash of the very input that was asked about; for
//      nothing else.

import type { Told } from "./line.ts";

/** The hooks that may wait. */
export type GateEvent = "PermissionRequest" | "PreToolUse";

export const isGateEvent = (name: unknown): name is GateEvent =>
  name === "PermissionRequest" || name === "PreToolUse";

/** What the gate ends with. */
export type Verdict =
  | { readonly type: "allow"; readonly updatedInput?: unknown }
  | { readonly type: "deny"; readonly message: string; readonly interrupt: boolean }
  | { readonly type: "ask" | "deny-closed"; readonly why: string };

/** @returns undefined while it is pending, or says nothing a gate may obey. */
export function verdictOf(told: Told, inputHash: string): Verdict | undefined {
  const { decision, message = "Denied in Signalbox.", interrupt = false } = told;
  if (decision === "deny") return { type: "deny", message, interrupt };
  if (decision !== "allow" || told.inputHash !== inputHash) return undefined;
  return { type: "allow", ...("updatedInput" in told && { updatedInput: told.updatedInput }) };
}

/** @returns the text for standard output; empty where the client is to go on as without a hook, which asks. */
export function printed(event: GateEvent, verdict: Verdict): string {
  const output = event === "PreToolUse" ? preToolUse(verdict) : permissionRequest(verdict);
  return output === undefined
    ? ""
    : JSON.stringify({ hookSpecificOutput: { hookEventName: event, ...output } });
}

function permissionRequest(verdict: Verdict): object | undefined {
  switch (verdict.type) {
    case "allow":
      return { decision: { ...edited(verdict.updatedInput), behavior: "allow" } };
    case "deny": {
      const { message, interrupt } = verdict;
      return { decision: { behavior: "deny", message, ...(interrupt && { interrupt }) } };
    }
    case "deny-closed":
      return { decision: { behavior: "deny", message: verdict.why } };
    case "ask":
      return undefined;
  }
}

function preToolUse(verdict: Verdict): object {
  switch (verdict.type) {
    case "allow":
      return { ...edited(verdict.updatedInput), permissionDecision: "allow" };
    case "deny":
      return { permissionDecision: "deny", permissionDecisionReason: verdict.message };
    case "deny-closed":
      return { permissionDecision: "deny", permissionDecisionReason: verdict.why };
    case "ask":
      return { permissionDecision: "ask", permissionDecisionReason: verdict.why };
  }
}

const edited = (input: unknown): object => (input === undefined ? {} : { updatedInput: input });
