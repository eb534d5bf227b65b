// Writing
// The answer that is being written, and the approval it is written for.
//
//   Owns:          which form is open, and for which approval.
//   Does not own:  the form (reply.tsx), the keys (choice.ts, answering.ts).
//
// REPLY-WRITING-1. A text belongs to the approval it was begun for. If that one needs no answer any more, the form stays until
//     a person closes it, and sends nothing: what is typed on is no key for another approval.
// REPLY-WRITING-2. A key that opens no field, as nothing is chosen or it was not seen yet, makes no keys of what is typed next.

import { useState } from "preact/hooks";
import { may } from "../../engine/me.ts";
import { swallowFrom } from "../../parts/keyboard.ts";
import type { Card, Mode } from "../card/card.ts";
import { canAnswer, canApprove, isOpen } from "../model.ts";
import { keyOfCard } from "../name.ts";
import { see } from "../seen/eye.ts";

interface Written {
  readonly key: string;
  readonly mode: Mode;
}

export interface Writing {
  /** How the card is looked at. */
  readonly modeOf: (card: Card | undefined) => Mode;
  /** The key of the approval that is written to. */
  readonly key: string | undefined;
  /** @param event that opens a form; what is looked at without one needs none. */
  readonly write: (card: Card | undefined, mode: Mode, event?: Event) => void;
  /** @param card only what is written to it; without it, whatever is written. */
  readonly close: (card?: Card) => void;
}

export function useWriting(): Writing {
  const [written, note] = useState<Written>();
  const close = (card?: Card): void =>
    note((now) => (card && now?.key !== keyOfCard(card) ? now : undefined));
  return {
    key: written?.key,
    modeOf: (card) => (card && written?.key === keyOfCard(card) ? written.mode : "reading"),
    write(card, mode, event) {
      if (mode === "reading") close(card);
      // The rule's form answers nothing until it is sent, and its button may be far below a long input.
      else if (card && event && mayWrite(card, mode) && (mode === "ruling" || see(card, event)))
        note({ key: keyOfCard(card), mode });
      else swallowFrom(event?.timeStamp);
    },
    close,
  };
}

const mayWrite = (card: Card, mode: Mode): boolean =>
  isOpen(card) &&
  canAnswer(card) &&
  (mode !== "editing" || canApprove(card)) &&
  (mode !== "ruling" || mayRule(card));

/** A rule is made of what may be approved and is bound to one call. */
export const mayRule = (card: Card): boolean => canApprove(card) && !card.approval.ambiguous && may("manage");
