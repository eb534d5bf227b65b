// Together
// Approvals that a person answers together: picked one by one, or because they are equal.
//
//   Owns:          which approvals are picked, the confirmation before they are answered.
//   Does not own:  the list that asks for it (bulk.tsx), holding the answer back (held.ts), the chosen approval
//                  (choice.ts).

import { useState } from "preact/hooks";
import type { Bulk } from "./bulk.tsx";
import type { Card, Reply } from "../card/card.ts";
import { hold } from "./held.ts";
import { canAnswer, inbox, isOpen } from "../model.ts";
import { keyOf, keyOfCard } from "../name.ts";
import { drawnOf } from "../seen/drawn.ts";
import { type Seen, wholeByLikeInput } from "../seen/seen.ts";

export interface Together {
  /** Keys of the cards that are picked. */
  readonly picked: ReadonlySet<string>;
  /** Picks the cards; if all of them are picked already, unpicks them. */
  readonly pick: (cards: readonly Card[]) => void;
  readonly pickNone: () => void;
  /** The approvals and the answer that wait for a person's confirmation. */
  readonly bulk: Bulk | undefined;
  readonly askBulk: (cards: readonly Card[], given: Reply) => void;
  /**
   * Closes the confirmation.
   * @param seen the approvals to answer; undefined if the person confirmed nothing.
   */
  readonly endBulk: (seen?: readonly Seen[]) => void;
}

const NONE: ReadonlySet<string> = new Set();

/** @param onSent called with the cards that got an answer. */
export function useTogether(onSent: (cards: readonly Card[]) => void): Together {
  const [picked, setPicked] = useState(NONE);
  const [bulk, setBulk] = useState<Bulk>();
  const pickNone = (): void => setPicked(NONE);
  return {
    picked,
    pickNone,
    bulk,
    pick(cards) {
      const keys = cards.map(keyOfCard);
      const next = new Set([...picked, ...keys]);
      if (next.size === picked.size) for (const key of keys) next.delete(key);
      setPicked(next);
    },
    askBulk(those, reply) {
      const which = reply.decision === "approve" ? shownWhole(those) : those;
      if (which.length > 0) setBulk({ cards: which, reply });
    },
    endBulk(seen) {
      setBulk(undefined);
      if (!bulk || !seen) return;
      const waiting = inbox.get().cards.filter(isOpen);
      const open = new Set(waiting.map(keyOfCard));
      const meant = seen.filter((each) => open.has(keyOf(each)));
      const keys = new Set(meant.map(keyOf));
      hold(meant, bulk.reply);
      onSent(waiting.filter((card) => keys.has(keyOfCard(card))));
      pickNone();
    },
  };
}

/** The cards whose input was shown whole, on the card itself or on a card with the same input (SEEN-3). */
export function shownWhole(cards: readonly Card[]): readonly Card[] {
  const drawn = wholeByLikeInput(cards.map(drawnOf));
  return cards.filter((_, n) => drawn[n]?.isWhole);
}

/** The picked cards that are pending and can be answered here. */
export const pickedIn = (cards: readonly Card[], picked: ReadonlySet<string>): readonly Card[] =>
  cards.filter((card) => picked.has(keyOfCard(card)) && isOpen(card) && canAnswer(card));
