// Answering
// The approval of the chosen call, and the answer being written to it.
//
//   Owns:          which approval of the call is shown, the keys.
//   Does not own:  the approvals and sending answers (inbox/model.ts), how an approval looks (answer.tsx).
//
// ANSWERING-1. A key answers the approval that had been seen when it was pressed (SEEN-2). An approval that appears
//     while its call is already shown takes no answer for a moment.
// ANSWERING-2. If a call's approval was answered elsewhere and the call has a next one, a person must ask for the next
//     one. It does not take the first one's place by itself.

import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import type { ApprovalView } from "../../../../runtime/rows/views.ts";
import { useValue } from "../engine/value.ts";
import { writeKeys } from "../inbox/bulk/choice.ts";
import { type Together, useTogether } from "../inbox/bulk/together.ts";
import type { Card, Mode, Reply } from "../inbox/card/card.ts";
import { alike, answer, arrive, canAnswer, canApprove, inbox, isOpen } from "../inbox/model.ts";
import { keyOf, keyOfCard } from "../inbox/name.ts";
import { useWriting } from "../inbox/reply/writing.ts";
import { see, useSettling } from "../inbox/seen/eye.ts";
import type { Seen } from "../inbox/seen/seen.ts";
import { type Keys, useKeys } from "../parts/keyboard.ts";

export interface Asked {
  readonly workspace: string;
  readonly session: string;
  readonly call: string;
  /** The call's pending approval, as far as the session's changes tell. */
  readonly waiting: ApprovalView | undefined;
  /** True if the call is shown as it is now. */
  readonly isLive: boolean;
}

export interface Answering extends Together {
  /** The approval that is shown; undefined if the call has needed none while the page was open. */
  readonly card: Card | undefined;
  readonly mode: Mode;
  readonly isSettling: boolean;
  readonly write: (card: Card, mode: Mode, event?: Event) => void;
  readonly reply: (seen: Seen, given: Reply, isForAlike: boolean) => void;
  /** A further approval of the call, requested since the one that is shown was answered elsewhere. */
  readonly another: Card | undefined;
  readonly showAnother: () => void;
}

export function useAnswering(asked: Asked): Answering {
  const { cards } = useValue(inbox);
  const { waiting, isLive } = asked;
  const writing = useWriting();
  const [kept, keep] = useState<string>();
  const own = isLive ? ofCall(cards, asked) : [];
  const next = own.find(({ approval }) => approval.id === waiting?.id);
  const card = shownOf(own, next, writing.key ?? kept);
  const isKnown = next !== undefined;
  useEffect(() => {
    if (waiting && isLive && !isKnown) void arrive(waiting, true);
  }, [waiting?.id, isLive, isKnown]);
  useLayoutEffect(() => {
    if (card && isOpen(card)) keep(keyOfCard(card));
  }, [card]);
  const isAnswerable = card !== undefined && isOpen(card) && canAnswer(card);
  const mode = writing.modeOf(card);
  const together = useTogether(() => writing.close());
  const { write } = writing;
  const reply = (seen: Seen, given: Reply, isForAlike: boolean): void => {
    const of = inbox.get().cards.find((each) => keyOfCard(each) === keyOf(seen));
    if (!of || !isOpen(of) || !canAnswer(of)) return;
    writing.close(of);
    if (isForAlike) together.askBulk(alike(of), given);
    else void answer(seen, given);
  };
  const keys: Keys = {
    a(event) {
      const seen = card && canApprove(card) ? see(card, event) : undefined;
      if (seen?.isWhole) reply(seen, { decision: "approve" }, false);
    },
    // BULK-1: the key only opens the list of equal approvals. A person answers them from there.
    A: () => card && together.askBulk(alike(card).filter(canApprove), { decision: "approve" }),
  };
  // The form's keys are bound even if there is nothing to answer: they then open no form, and swallow the text typed next.
  const fields = writeKeys((to, event) => write(card, to, event));
  const reading = isAnswerable ? { ...keys, ...fields } : fields;
  useKeys(mode === "reading" ? reading : { Escape: () => writing.close(), ...STAY }, "part");
  const another = next && next !== card ? next : undefined;
  const showAnother = (): void => keep(another && keyOfCard(another));
  return { card, mode, isSettling: useSettling(card), write, reply, another, showAnother, ...together };
}

const stay = (): void => undefined;
/** While a person writes an answer, only Escape leads away from it. */
const STAY: Keys = { a: stay, j: stay, k: stay, m: stay };

const ofCall = (cards: readonly Card[], { workspace, session, call }: Asked): readonly Card[] =>
  cards.filter(
    ({ approval }) =>
      approval.workspace === workspace && approval.sessionId === session && approval.callId === call,
  );

/**
 * Chooses the approval to show (ANSWERING-2).
 * @param next the pending approval.
 * @param kept the key of the approval that a person writes an answer to; else the key of the approval that was shown last.
 * @returns the kept approval, unless it was answered here; else the pending approval, else the one that was answered last.
 */
function shownOf(own: readonly Card[], next: Card | undefined, kept: string | undefined): Card | undefined {
  const before = own.find((card) => keyOfCard(card) === kept);
  const isKept = before && (isOpen(before) || before.phase.is === "gone");
  return (isKept ? before : next) ?? before ?? own.findLast((each) => !isOpen(each));
}
