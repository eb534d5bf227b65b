// Says
// Who may send each message: only the owner, a person at the owner's door, or anybody at any engine's door.
//
//   Owns:          the table, what becomes of a message under a term that is over.
//   Does not own:  which terms count (term), what a message does (turn).
//   Decided in:    docs/decisions/0092-a-spare-takes-over-by-a-term.md,
//                  docs/decisions/0097-any-engines-door-takes-messages.md.
//
// CLUSTER-SAYS-1. A message that only an owner may send changes nothing if its term is not the current one, or has ended. The
//     engine counts such messages.
// CLUSTER-SAYS-2. Messages of people and sources belong to no term.
// CLUSTER-SAYS-3. In a journal without a term, every message without a term counts, as in versions before there were terms.
// CLUSTER-SAYS-4. Every engine, the owner or a spare, takes the messages of sources, decisions and rules: they belong to no
//     term, and every engine gets the same result from them. If the owner must act on a message at once, only the owner takes it.

import type { Message, OwnMessage } from "../message.ts";
import { type Known, numberOf } from "./term.ts";

type Said = OwnMessage["said"];

/** Who may send each message. For `begins`, the turn decides whether the term counts (CLUSTER-TERM-1). */
const BY: { readonly [T in Said["type"]]: "owner" | "owner's door" | "door" | "begins" } = {
  "term.begun": "begins",
  "term.ended": "owner",
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
  assigned: "door",
  "clock.accepted": "owner's door",
  refused: "door",
  retried: "door",
  dismissed: "door",
  "session.forgotten": "owner's door",
  "rule.added": "door",
  "rule.removed": "door",
  "rules.applied": "door",
  "rule.enforced": "door",
};

/** True for a message that only the owner may send. */
export const isOwners = (said: Pick<Said, "type">): boolean => BY[said.type] === "owner";

/** True for a message that every engine takes (CLUSTER-SAYS-4). */
export const isOfAnyDoor = (message: Message): boolean =>
  message.door === "in" || BY[message.said.type] === "door";

/** Checks the message's term (CLUSTER-SAYS-1). @returns true for a message that must change nothing. */
export const isStale = (known: Known, { said, term = 0 }: Pick<OwnMessage, "said" | "term">): boolean =>
  isOwners(said) && (term !== numberOf(known) || known.term?.ended !== undefined);
