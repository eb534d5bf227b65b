// Order
// The order of the approvals in the list.
//
//   Owns:          ordering approvals by the time of their request, and by their urgency.
//   Does not own:  which approvals are shown (model.ts), risks and urgency (runtime/risks).
//
// ORDER-1. The order of any two approvals is fixed, so the list does not depend on the order in which the page receives them.
// ORDER-2. The most urgent approval comes first (runtime/risks/urgency). The other approvals of its session follow it, before
//     those of the next session. No approval moves only because time passes or because another approval is answered.
// ORDER-3. Equal approvals (the same call in the same folder, EQUAL-1) come directly after the first of them, even if they belong
//     to other sessions.

import { byUrgency } from "../../../../runtime/risks/urgency.ts";
import type { Card } from "./card/card.ts";
import { equalityOf } from "./equal/equal.ts";
import { sessionKeyOf } from "./filter/filter.ts";
import { risksOfCard } from "./risk/of-card.ts";

/** Compares batch ids, which contain numbers. */
const byNumber = new Intl.Collator("en", { numeric: true });

export const sorted = (cards: readonly Card[]): readonly Card[] => cards.toSorted(inOrder);

/**
 * The oldest approval first. Approvals of the same time are in the order of workspace, session, the calls in the batch, and id.
 */
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

/** Orders texts by code unit, as the engine's lists do. */
const byCode = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** @returns the cards of each session, the most urgent session first (ORDER-2, ORDER-3). */
export function grouped(cards: readonly Card[]): readonly (readonly Card[])[] {
  const groups = new Map<string, Card[][]>();
  const found = new Map<string, Card[]>();
  for (const card of cards.toSorted(inUrgency)) {
    const [home, key] = [sessionKeyOf(card), equalityOf(card)];
    const equal = found.get(key);
    if (equal) equal.push(card);
    else {
      const first = [card];
      found.set(key, first);
      groups.set(home, [...(groups.get(home) ?? []), first]);
    }
  }
  return [...groups.values()].map((group) => group.flat());
}

const inUrgency = (one: Card, other: Card): number =>
  byUrgency(urgent(one), urgent(other)) || inOrder(one, other);

const urgent = (card: Card) => ({
  askedAt: card.approval.askedAt,
  deadlineAt: card.approval.deadlineAt,
  risks: risksOfCard(card),
});
