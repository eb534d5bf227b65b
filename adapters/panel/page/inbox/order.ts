// Order
// The order of approvals.
//
//   Owns:          the order in which they were asked, and the order in which a person should look at them.
//   Does not own:  which of them are shown (model.ts), risks and urgency (runtime/risks).
//
// ORDER-1. No two approvals have the same place: whoever adds one, or hears of several in another order, sees the same
//     list.
// ORDER-2. The most urgent comes first (runtime/risks/urgency). A session's approvals stand together, at the place of its
//     most urgent one. Neither the clock nor an answer moves one.
// ORDER-3. Equal ones stand behind the first of them, also those of other sessions in its folder.

import { byUrgency } from "../../../../runtime/risks/urgency.ts";
import type { Card } from "./card/card.ts";
import { equalityOf } from "./equal/equal.ts";
import { sessionKeyOf } from "./filter/filter.ts";
import { risksOfCard } from "./risk/of-card.ts";

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

/** The order of the engine's lists. */
const byCode = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** ORDER-2, ORDER-3 @returns the cards of each session, the most urgent session first. */
export function grouped(cards: readonly Card[]): readonly (readonly Card[])[] {
  const groups = new Map<string, Card[][]>();
  const found = new Map<string, Card[]>();
  for (const card of cards.toSorted(inUrgency)) {
    const [home, key] = [sessionKeyOf(card), equalityOf(card)];
    const equal = found.get(key);
    if (equal) {
      equal.push(card);
      continue;
    }
    const first = [card];
    found.set(key, first);
    groups.set(home, [...(groups.get(home) ?? []), first]);
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
