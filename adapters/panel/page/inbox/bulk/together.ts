// Together
// Gives an answer to one approval, or to several that are picked or equal.
//
//   Owns:          which approvals are picked; which answers are sent immediately, and which a person must confirm first.
//   Does not own:  the list to confirm (bulk.tsx), holding the answer back (held.ts), which approval is chosen (choice.ts).

import { useState } from "preact/hooks";
import type { Bulk } from "./bulk.tsx";
import type { Card, Reply } from "../card/card.ts";
import { hold } from "./held.ts";
import { alike, answerable, canAnswer, canApprove, inbox, isOpen } from "../model.ts";
import { keyOf, keyOfCard } from "../name.ts";
import { see } from "../seen/eye.ts";
import { drawnOf, type Seen, wholeByLikeInput } from "../seen/seen.ts";
import { answer } from "../sending.ts";

const NONE: ReadonlySet<string> = new Set();

interface Doing {
  /** Closes the form in which a person writes an answer (reply/writing), if it is open for this card. */
  readonly close: (card: Card) => void;
  /** Called with a card that was answered alone. */
  readonly onAnswered?: (card: Card) => void;
  /** Called with the cards that were answered together. */
  readonly onSent: (cards: readonly Card[]) => void;
}

export function useTogether({ close, onAnswered, onSent }: Doing) {
  /** The keys of the cards that are picked. */
  const [picked, setPicked] = useState(NONE);
  /** What waits for a person's confirmation. */
  const [bulk, setBulk] = useState<Bulk>();
  const pickNone = (): void => setPicked(NONE);
  const askBulk = (those: readonly Card[], reply: Reply): void => {
    const which = reply.decision === "approve" ? shownWhole(those) : those;
    if (which.length > 0) setBulk({ cards: which, reply });
  };
  const reply = (seen: Seen, given: Reply, isForAlike: boolean): void => {
    const card = answerable(seen);
    if (!card) return;
    close(card);
    if (isForAlike) return askBulk(alike(card), given);
    void answer(seen, given);
    onAnswered?.(card);
  };
  return {
    picked,
    pickNone,
    bulk,
    askBulk,
    reply,
    approve: (card: Card | undefined, event: Event): void => {
      const seen = card && canApprove(card) ? see(card, event) : undefined;
      if (seen?.isWhole) reply(seen, { decision: "approve" }, false);
    },
    /** Picks the cards, or unpicks them if all of them are picked. */
    pick: (cards: readonly Card[]): void => {
      const keys = cards.map(keyOfCard);
      const next = new Set([...picked, ...keys]);
      if (next.size === picked.size) for (const key of keys) next.delete(key);
      setPicked(next);
    },
    /** @param seen the approvals to answer; undefined if the person confirmed nothing. */
    endBulk: (seen?: readonly Seen[]): void => {
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

export const pickedIn = (cards: readonly Card[], picked: ReadonlySet<string>): readonly Card[] =>
  cards.filter((card) => picked.has(keyOfCard(card)) && isOpen(card) && canAnswer(card));
