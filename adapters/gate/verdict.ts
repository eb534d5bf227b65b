// Verdict
// Which answers of the engine a gate obeys.
//
//   Owns:          telling them from all others.
//   Does not own:  the client's words for them (gate-form).
//
// VERDICT-1. A call is allowed by an answer that says so, and names the hash of the very input that was asked about; by
//     nothing else.

import type { Verdict } from "../../runtime/gate-form.ts";
import type { Told } from "./line.ts";

/** @returns undefined while it is pending, or says nothing a gate may obey. */
export function verdictOf(told: Told, inputHash: string): Verdict | undefined {
  const { decision, message = "Denied in Signalbox.", interrupt = false } = told;
  if (decision === "deny") return { type: "deny", message, interrupt };
  if (decision !== "allow" || told.inputHash !== inputHash) return undefined;
  return { type: "allow", ...("updatedInput" in told && { updatedInput: told.updatedInput }) };
}
