// Says
// Decides who may send each kind of message: only the owner, a person at the owner's door, or anybody at any engine's door.
//
//   Owns:          what the engine does with a message of a term that is over.
//   Does not own:  the table of the engine's own messages (message), which terms count (term), what a message does (turn).
//   Decided in:    docs/decisions/0092-a-spare-takes-over-by-a-term.md, docs/decisions/0097-any-engines-door-takes-messages.md.
//
// CLUSTER-SAYS-1. A message that only an owner may send names its sender's term. If that term has ended, or is not the current
//     one, the message is counted and changes nothing.
// CLUSTER-SAYS-2. Messages of people and sources belong to no term.
// CLUSTER-SAYS-3. If the journal contains no term, every message without a term counts, as in versions that had no terms.
// CLUSTER-SAYS-4. Every engine, the owner or a spare, takes the messages of sources, decisions and rules: they belong to no term,
//     and every engine gets the same result from them. A message on which the owner must act immediately is accepted only by the
//     owner.

import { type Message, OWN_MESSAGES, type OwnMessage } from "../message.ts";
import { type Known, numberOf } from "./term.ts";

/** True for a message that only the owner may send. */
export const isOwners = ({ type }: Pick<OwnMessage["said"], "type">): boolean =>
  OWN_MESSAGES[type].by === "owner";

/** True for a message that the door of every engine takes, the owner's or a spare's (CLUSTER-SAYS-4). */
export const isOfAnyDoor = (message: Message): boolean =>
  message.door === "in" || OWN_MESSAGES[message.said.type].by === "door";

/** Checks a message's term (CLUSTER-SAYS-1). @returns true for a message of another term, which must change nothing. */
export const isStale = (known: Known, { said, term = 0 }: Pick<OwnMessage, "said" | "term">): boolean =>
  isOwners(said) && (term !== numberOf(known) || known.term?.ended !== undefined);
