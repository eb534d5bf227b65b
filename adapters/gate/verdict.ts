// Verdict
// Recognises the engine's answers that a gate obeys.
//
//   Owns:          telling these answers from all others.
//   Does not own:  the client's words for them (gate-form).
//
// VERDICT-1. Only an answer that says "allow" and contains the hash of exactly the requested input allows a call.

import type { Verdict } from "../../runtime/gate-form.ts";
import type { Told } from "./line.ts";

/** @returns undefined while the approval is pending, or for an answer that a gate must not obey. */
export function verdictOf(told: Told, inputHash: string): Verdict | undefined {
  const { decision, message = "Denied in Signalbox.", interrupt = false } = told;
  if (decision === "deny") return { type: "deny", message, interrupt };
  if (decision !== "allow" || told.inputHash !== inputHash) return undefined;
  return { type: "allow", ...("updatedInput" in told && { updatedInput: told.updatedInput }) };
}
