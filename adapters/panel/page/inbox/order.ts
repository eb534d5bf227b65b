// Order
// The order of approvals.
//
//   Owns:          the one order of all approvals.
//   Does not own:  which of them are shown (model.ts).
//
// ORDER-1. No two approvals have the same place: whoever adds one, or hears of several in another order, sees the same
//     list.

import type { Card } from "./card/card.ts";

/** Batches are numbered. */
const byNumber = new Intl.Collator("en", { numeric: true });

export const sorted = (cards: readonly Card[]): readonly Card[] => cards.toSorted(inOrder);

/** Oldest first; of one session's approvals asked at the same time, that of the earlier call; at last by their ids. */
function inOrder({ approval: a, call: one }: Card, { approval: b, call: other }: Card): number {
  return (
    a.askedAt - b.askedAt ||
    byCode(a.workspace, b.workspace) ||
    byCode(a.sessionId, b.sessionId) ||
    byNumber.compare(one?.batchId ?? "", other?.batchId ?? "") ||
    (one?.index ?? 0) - (other?.index ?? 0) ||
    byCode(a.id, b.id)
  );
}

/** As the engine's lists have them. */
const byCode = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
