// Stacks
// Stacks: equal pending approvals, shown as one row until a person unfolds it.
//
//   Owns:          which rows stand for several approvals, unfolding them.
//   Does not own:  which approvals are equal (equal.ts), how the row looks (card/card.tsx), answering (bulk/choice.ts).
//
// STACKS-1. A stack has two or more equal approvals that can be approved here. An approval that was answered, or
//     probably was, has a row of its own.
// STACKS-2. The row of a stack shows the chosen approval if it is in the stack, else the first. A key answers the one
//     that is shown, and no other.

import { useMemo, useState } from "preact/hooks";
import type { Card } from "../card/card.ts";
import { canApprove, isOpen } from "../model.ts";
import { equalityOf } from "./equal.ts";

export interface Stacks {
  /** The stack that a card is in; undefined if the card equals no other. */
  readonly of: (card: Card) => readonly Card[] | undefined;
  readonly isUnfolded: (card: Card) => boolean;
  readonly turn: (card: Card) => void;
}

/**
 * The stacks of a list.
 * @param cards the cards in the order in which they are shown.
 */
export function useStacks(cards: readonly Card[]): Stacks {
  const stacks = useMemo(() => stacksIn(cards), [cards]);
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(() => new Set());
  return {
    of: (card) => stacks.get(card),
    isUnfolded: (card) => unfolded.has(equalityOf(card)),
    turn: (card) => {
      const next = new Set(unfolded);
      if (!next.delete(equalityOf(card))) next.add(equalityOf(card));
      setUnfolded(next);
    },
  };
}

/** STACKS-1 @returns the stack of each card that is in one. */
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

/** STACKS-2 @returns true if a card has a row, given the chosen card. */
export function hasRow({ of, isUnfolded }: Stacks, card: Card, chosen: Card | undefined): boolean {
  return isUnfolded(card) || isShownOf(of(card), card, chosen);
}

/** True if a card is shown in the row of its stack. */
export function isShownOf(stack: readonly Card[] | undefined, card: Card, chosen: Card | undefined): boolean {
  return !stack || card === (chosen && stack.includes(chosen) ? chosen : stack[0]);
}

/** The cards that a row stands for. */
export const standsFor = ({ of, isUnfolded }: Stacks, card: Card): readonly Card[] =>
  (isUnfolded(card) ? undefined : of(card)) ?? [card];
