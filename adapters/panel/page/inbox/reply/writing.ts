// Writing
// The answer that is being written, and the approval it is written for.
//
//   Owns:          which form is open, and for which approval.
//   Does not own:  the form (reply.tsx), the keys (choice.ts, answering.ts).
//
// REPLY-WRITING-1. A text belongs to the approval it was begun for. If that one needs no answer any more, the form stays until
//     a person closes it, and sends nothing: what is typed on is no key for another approval.

import { useState } from "preact/hooks";
import type { Card, Mode } from "../card/card.ts";
import { canAnswer, canApprove, isOpen } from "../model.ts";
import { keyOfCard } from "../name.ts";

interface Written {
  readonly key: string;
  readonly mode: Mode;
}

export interface Writing {
  /** How the card is looked at. */
  readonly modeOf: (card: Card | undefined) => Mode;
  /** The key of the approval that is written to. */
  readonly key: string | undefined;
  readonly write: (card: Card | undefined, mode: Mode) => void;
}

export function useWriting(): Writing {
  const [written, note] = useState<Written>();
  return {
    key: written?.key,
    modeOf: (card) => (card && written?.key === keyOfCard(card) ? written.mode : "reading"),
    write: (card, mode) =>
      note(card && mayWrite(card, mode) && mode !== "reading" ? { key: keyOfCard(card), mode } : undefined),
  };
}

const mayWrite = (card: Card, mode: Mode): boolean =>
  isOpen(card) &&
  canAnswer(card) &&
  (mode !== "editing" || canApprove(card)) &&
  (mode !== "ruling" || mayRule(card));

/** A rule is made of what may be approved and is bound to one call. */
export const mayRule = (card: Card): boolean => canApprove(card) && !card.approval.ambiguous;
