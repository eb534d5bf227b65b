// Says
// Whose word each own message is: the owner's alone, or a person's at any engine's door.
//
//   Owns:          the table, what comes under a term that is over.
//   Does not own:  which terms count (term), what a message does (turn).
//   Decided in:    docs/decisions/0092-a-spare-takes-over-by-a-term.md.
//
// CLUSTER-SAYS-1. What only an owner says changes nothing under another term than its own, and is counted.
// CLUSTER-SAYS-2. What people and sources say belongs to no term.
// CLUSTER-SAYS-3. A journal without a term is as it was before there were any: everything said without one counts.

import type { OwnMessage } from "../message.ts";
import { type Known, numberOf } from "./term.ts";

type Said = OwnMessage["said"];

/** `begins` decides for itself. */
const BY: { readonly [T in Said["type"]]: "owner" | "door" | "begins" } = {
  "term.begun": "begins",
  "timer.fired": "owner",
  "process.gone": "owner",
  "waiter.gone": "owner",
  configured: "owner",
  swept: "owner",
  tallied: "owner",
  measured: "owner",
  "policy.set": "owner",
  "policy.dropped": "owner",
  "policy.ruled": "owner",
  decision: "door",
  "clock.accepted": "door",
  refused: "door",
  retried: "door",
  dismissed: "door",
  "session.forgotten": "door",
  "rule.added": "door",
  "rule.removed": "door",
  "rules.applied": "door",
  "rule.enforced": "door",
};

/** True for what only the owner may say. */
export const isOwners = (said: Pick<Said, "type">): boolean => BY[said.type] === "owner";

/** CLUSTER-SAYS-1. @returns true for a message that must change nothing. */
export const isStale = (known: Known, { said, term = 0 }: Pick<OwnMessage, "said" | "term">): boolean =>
  isOwners(said) && term !== numberOf(known);
