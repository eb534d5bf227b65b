// Equal
// Decides which approvals are equal: a person who has read one of several equal approvals has read them all.
//
//   Owns:          the definition of equal.
//   Does not own:  showing equal approvals as one row (stacks.ts).
//
// EQUAL-1. Approvals are equal if their calls have the same tool, input hash, folder and workspace, and therefore the same
//     risks. If the folder is not known, the approvals must also be of one session. An approval whose input is not known equals
//     no other approval.

import type { Card } from "../card/card.ts";
import { keyOfCard } from "../name.ts";

/** A key that is the same for equal approvals, and for no others. */
export function equalityOf(card: Card): string {
  const { workspace, sessionId, tool, inputHash } = card.approval;
  if (inputHash === undefined) return keyOfCard(card);
  return JSON.stringify([workspace, card.cwd ?? "", card.cwd === undefined && sessionId, tool, inputHash]);
}
