// Together
// Approvals that are to be answered together: picked one by one, or alike.
//
//   Owns:          which are picked, asking once more before they are answered.
//   Does not own:  the list that asks (bulk.tsx), keeping the answer back (held.ts), the chosen one (choice.ts).

import { useState } from "preact/hooks";
import type { Bulk } from "./bulk.tsx";
import type { Card, Reply } from "../card/card.ts";
import { hold } from "./held.ts";
import { canAnswer, isOpen } from "../model.ts";
import { keyOfCard } from "../name.ts";

export interface Together {
  /** Keys of the cards that are picked. */
  readonly picked: ReadonlySet<string>;
  readonly pick: (card: Card) => void;
  readonly pickNone: () => void;
  /** What is about to be answered together, and has to be said once more. */
  readonly bulk: Bulk | undefined;
  readonly askBulk: (cards: readonly Card[], given: Reply) => void;
  readonly endBulk: (isSent: boolean) => void;
}

const NONE: ReadonlySet<string> = new Set();

/** @param onSent called with the cards that an answer was given to. */
export function useTogether(cards: readonly Card[], onSent: (cards: readonly Card[]) => void): Together {
  const [picked, setPicked] = useState(NONE);
  const [bulk, setBulk] = useState<Bulk>();
  const pickNone = (): void => setPicked(NONE);
  return {
    picked,
    pickNone,
    bulk,
    pick(card) {
      const next = new Set(picked);
      if (!next.delete(keyOfCard(card))) next.add(keyOfCard(card));
      setPicked(next);
    },
    askBulk(those, reply) {
      if (those.length > 0) setBulk({ cards: those, reply });
    },
    endBulk(isSent) {
      setBulk(undefined);
      if (!bulk || !isSent) return;
      const meant = new Set(bulk.cards.map(keyOfCard));
      const waiting = cards.filter((card) => meant.has(keyOfCard(card)) && isOpen(card));
      hold(waiting, bulk.reply);
      onSent(waiting);
      pickNone();
    },
  };
}

/** Those picked that still wait for an answer which can be given here. */
export const pickedIn = (cards: readonly Card[], picked: ReadonlySet<string>): readonly Card[] =>
  cards.filter((card) => picked.has(keyOfCard(card)) && isOpen(card) && canAnswer(card));
