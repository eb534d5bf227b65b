// Order
// The order in which approvals are shown.
//
//   Owns:          the order in which approvals were requested, and the order in which a person should look at them.
//   Does not own:  which approvals are shown (model.ts), risks and urgency (runtime/risks).
//
// ORDER-1. No two approvals have the same place. So the list is the same, in whatever order approvals are added or
//     heard of.
// ORDER-2. The most urgent approval comes first (runtime/risks/urgency). A session's approvals are together, at the
//     place of its most urgent one. Neither time nor an answer moves an approval.
// ORDER-3. Equal approvals come directly after the first of them, also those of other sessions in the same folder.

import { byUrgency } from "../../../../runtime/risks/urgency.ts";
import type { Card } from "./card/card.ts";
import { equalityOf } from "./equal/equal.ts";
import { sessionKeyOf } from "./filter/filter.ts";
import { risksOfCard } from "./risk/of-card.ts";

/** Compares ids with the numbers in them as numbers, because batch ids are numbered. */
const byNumber = new Intl.Collator("en", { numeric: true });

export const sorted = (cards: readonly Card[]): readonly Card[] => cards.toSorted(inOrder);

/** Oldest first; of one session's approvals requested at the same time, by the order of their calls; else by id. */
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
