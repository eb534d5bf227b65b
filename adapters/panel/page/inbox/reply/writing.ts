// Writing
// Which form for an answer is open, and which approval its text is for.
//
//   Owns:          opening and closing the form for an answer.
//   Does not own:  the fields of the form (reply.tsx), the keys (choice.ts, answering.tsx).
//
// REPLY-WRITING-1. A written answer is for the approval at which the person began to write it. If that approval needs no answer
//     any more, the form stays open until the person closes it, and sends nothing. No letter that is typed into the form acts
//     as a key on another approval.
// REPLY-WRITING-2. If a person presses a key that should open a form, but no approval is chosen or the approval was not seen
//     yet, no form opens, and the letters typed next do not act as keys.

import { useState } from "preact/hooks";
import { may } from "../../engine/me.ts";
import { swallowFrom } from "../../parts/keyboard.ts";
import type { Card, Mode } from "../card/card.ts";
import { canAnswer, canApprove, isOpen } from "../model.ts";
import { keyOfCard } from "../name.ts";
import { see } from "../seen/eye.ts";

export function useWriting() {
  const [written, note] = useState<{ readonly key: string; readonly mode: Mode }>();
  /** Closes the form; if a card is given, only a form for that card. */
  const close = (card?: Card): void =>
    note((now) => (card && now?.key !== keyOfCard(card) ? now : undefined));
  return {
    key: written?.key,
    /** Which form of a card is open; "reading" if none is. */
    modeOf: (card: Card | undefined): Mode =>
      card && written?.key === keyOfCard(card) ? written.mode : "reading",
    /** Opens a form; the mode "reading" closes it. @param event the press that opens the form. */
    write: (card: Card | undefined, mode: Mode, event?: Event): void => {
      if (mode === "reading") close(card);
      // The form for a rule opens even if the person has not seen the input. Opening the form answers nothing, and the button
      // that opens it may be far below the input.
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
