// Answering
// The approval of the call that is looked at, and the answer being written to it.
//
//   Owns:          which approval that is, the keys.
//   Does not own:  the approvals and sending answers (inbox/model.ts), how one looks (answer.tsx).
//
// ANSWERING-1. A key answers the approval that was seen when it was pressed (SEEN-2): one that comes while its call is already
//     looked at takes no answer for a moment.
// ANSWERING-2. Where a call's approval was answered elsewhere, its next one is shown when a person asks for it, not in its place.

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
  /** Its pending approval, as far as the session knows. */
  readonly waiting: ApprovalView | undefined;
  /** The call is shown as it is now. */
  readonly isLive: boolean;
}

export interface Answering extends Together {
  /** Undefined where the call asks for nothing, and asked for nothing while the page was open. */
  readonly card: Card | undefined;
  readonly mode: Mode;
  readonly isSettling: boolean;
  readonly write: (card: Card, mode: Mode, event?: Event) => void;
  readonly reply: (seen: Seen, given: Reply, isForAlike: boolean) => void;
  /** What the call asks since its approval was answered elsewhere. */
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
    // BULK-1: several are answered only while the list of them is on the screen.
    A: () => card && together.askBulk(alike(card).filter(canApprove), { decision: "approve" }),
  };
  // With nothing to answer, the writing keys open no field, and the text typed after them does nothing.
  const fields = writeKeys((to, event) => write(card, to, event));
  const reading = isAnswerable ? { ...keys, ...fields } : fields;
  useKeys(mode === "reading" ? reading : { Escape: () => writing.close(), ...STAY }, "part");
  const another = next && next !== card ? next : undefined;
  const showAnother = (): void => keep(another && keyOfCard(another));
  return { card, mode, isSettling: useSettling(card), write, reply, another, showAnother, ...together };
}

const stay = (): void => undefined;
/** While an answer is written, no key leads away from it but Escape. */
const STAY: Keys = { a: stay, j: stay, k: stay, m: stay };

const ofCall = (cards: readonly Card[], { workspace, session, call }: Asked): readonly Card[] =>
  cards.filter(
    ({ approval }) =>
      approval.workspace === workspace && approval.sessionId === session && approval.callId === call,
  );

/**
 * @param next the one that waits. @param kept the key of the one written to, else of the one that waited here last.
 * @returns that one, unless it was answered here; else the one that waits, else the one answered last.
 */
function shownOf(own: readonly Card[], next: Card | undefined, kept: string | undefined): Card | undefined {
  const before = own.find((card) => keyOfCard(card) === kept);
  const isKept = before && (isOpen(before) || before.phase.is === "gone");
  return (isKept ? before : next) ?? before ?? own.findLast((each) => !isOpen(each));
}
