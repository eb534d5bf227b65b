// Writing
// The answer that is being written, and the approval it is written for.
//
//   Owns:          which form is open, and for which approval.
//   Does not own:  the form (reply.tsx), the keys (choice.ts, answering.ts).
//
// REPLY-WRITING-1. A text belongs to the approval that it was begun for. If that approval needs no answer any more, the
//     form stays until a person closes it, and sends nothing. What is typed there is never a key for another approval.
// REPLY-WRITING-2. If a key opens no form, because no approval is chosen or it was not seen yet, what is typed next is
//     not taken for keys.

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
  /** Which form of a card is open; "reading" if none is. */
  readonly modeOf: (card: Card | undefined) => Mode;
  /** The key of the approval that the open form is for. */
  readonly key: string | undefined;
  /**
   * Opens a form, or closes it with the mode "reading".
   * @param event the press that opens the form; not needed to close it.
   */
  readonly write: (card: Card | undefined, mode: Mode, event?: Event) => void;
  /**
   * Closes the form.
   * @param card only if the form is for this card; without it, any form.
   */
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
      // The form of a rule answers nothing until it is sent, so it opens even if the input was not seen: its button may
      // be far below a long input.
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

/** True if a rule can be made from an approval: it can be approved, and belongs to exactly one call. */
export const mayRule = (card: Card): boolean => canApprove(card) && !card.approval.ambiguous && may("manage");
