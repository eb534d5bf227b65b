// Equal
// Which approvals are about the very same call, so that a person who has read one has read them all.
//
//   Owns:          what equal means.
//   Does not own:  their order (order.ts), showing them as one row (stacks.ts).
//
// EQUAL-1. Equal are calls of one tool with the very same input, by its hash, in one folder of one workspace; where a
//     session's folder is not known, of that session alone. So they bear the same risks. A call whose input is not
//     known equals no other.

import type { Card } from "../card/card.ts";
import { keyOfCard } from "../name.ts";

/** The same text for equal approvals, and for no others. */
export function equalityOf(card: Card): string {
  const { workspace, sessionId, tool, inputHash } = card.approval as Card["approval"] & {
    inputHash?: string;
  };
  if (inputHash === undefined) return keyOfCard(card);
  return JSON.stringify([workspace, card.cwd ?? "", card.cwd === undefined && sessionId, tool, inputHash]);
}
