// Stacks
// Stacks of equal pending approvals: the list shows a stack as one row until a person unfolds it.
//
//   Owns:          which rows stand for several approvals, unfolding a row.
//   Does not own:  which approvals are equal (equal.ts), how a row looks (card/card.tsx).
//
// STACKS-1. A stack consists of two or more equal approvals that can be approved in the panel. An approval that was answered,
//     or that somebody has perhaps answered at the terminal (`maybeAnswered`), has a row of its own and is in no stack.
// STACKS-2. The row of a stack shows the chosen approval if it is in the stack, otherwise the first approval of the stack. A
//     key answers only the approval that the row shows.

import { useMemo, useState } from "preact/hooks";
import type { Card } from "../card/card.ts";
import { canApprove, isOpen } from "../model.ts";
import { equalityOf } from "./equal.ts";

export type Stacks = ReturnType<typeof useStacks>;

/** @param cards the cards, in the order in which they are shown. */
export function useStacks(cards: readonly Card[]) {
  const stacks = useMemo(() => stacksIn(cards), [cards]);
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(() => new Set());
  return {
    /** The stack that a card is in; undefined if it is in none. */
    of: (card: Card) => stacks.get(card),
    isUnfolded: (card: Card) => unfolded.has(equalityOf(card)),
    turn: (card: Card): void => {
      const next = new Set(unfolded);
      if (!next.delete(equalityOf(card))) next.add(equalityOf(card));
      setUnfolded(next);
    },
  };
}

/** @returns the stack of each card that is in one (STACKS-1). */
function stacksIn(cards: readonly Card[]): ReadonlyMap<Card, readonly Card[]> {
  const equal = new Map<string, Card[]>();
  for (const card of cards) {
    if (!isOpen(card) || !canApprove(card) || card.approval.maybeAnswered) continue;
    const key = equalityOf(card);
    equal.set(key, [...(equal.get(key) ?? []), card]);
  }
  const stacks = [...equal.values()].filter((stack) => stack.length > 1);
  return new Map(stacks.flatMap((stack) => stack.map((card) => [card, stack])));
}

/** True if a card has a row (STACKS-2). */
export function hasRow({ of, isUnfolded }: Stacks, card: Card, chosen: Card | undefined): boolean {
  return isUnfolded(card) || isShownOf(of(card), card, chosen);
}

export function isShownOf(stack: readonly Card[] | undefined, card: Card, chosen: Card | undefined): boolean {
  return !stack || card === (chosen && stack.includes(chosen) ? chosen : stack[0]);
}

export const standsFor = ({ of, isUnfolded }: Stacks, card: Card): readonly Card[] =>
  (isUnfolded(card) ? undefined : of(card)) ?? [card];
