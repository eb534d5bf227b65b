// Equal
// Which approvals are equal: about the same call, so that a person who has read one has read all.
//
//   Owns:          the definition of equal.
//   Does not own:  the order of approvals (order.ts), showing equal ones as one row (stacks.ts).
//
// EQUAL-1. Approvals are equal if their calls have the same tool, the same input by its hash, the same folder and the
//     same workspace, so that the risks are the same. Without a known folder, they must be of one session. A call whose
//     input is not known equals no other.

import type { Card } from "../card/card.ts";
import { keyOfCard } from "../name.ts";

/** A key that is the same for equal approvals, and for no others. */
export function equalityOf(card: Card): string {
  const { workspace, sessionId, tool, inputHash } = card.approval;
  if (inputHash === undefined) return keyOfCard(card);
  return JSON.stringify([workspace, card.cwd ?? "", card.cwd === undefined && sessionId, tool, inputHash]);
}
