// Answering
// Shows the pending approval of the chosen call beside the timeline, where a person answers it as in the inbox.
//
//   Owns:          which approval of a call is shown, the keys; keeping the focus on the approval.
//   Does not own:  the approvals, sending answers (inbox/model.ts), how an approval looks (inbox/card, inbox/reply).
//
// ANSWERING-1. A key answers only an approval that the person had seen before pressing it: on the screen for 300 ms (SEEN-2). So
//     an approval that appears while its call is already shown cannot be answered for that time.
// ANSWERING-2. If the shown approval was answered elsewhere and its call has another pending approval, the page shows that
//     other approval only when a person asks for it.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ApprovalView } from "../../../../runtime/rows/views.ts";
import { useValue } from "../engine/value.ts";
import { BulkDialog } from "../inbox/bulk/bulk.tsx";
import { writeKeys } from "../inbox/bulk/choice.ts";
import { useTogether } from "../inbox/bulk/together.ts";
import type { Card } from "../inbox/card/card.ts";
import { PhaseLine } from "../inbox/card/phase.tsx";
import { Whole } from "../inbox/card/whole.tsx";
import { alike, arrive, canAnswer, canApprove, inbox, isOpen } from "../inbox/model.ts";
import { keyOfCard } from "../inbox/name.ts";
import { useWriting } from "../inbox/reply/writing.ts";
import { useBefore } from "../inbox/risk/of-card.ts";
import { useSettling } from "../inbox/seen/eye.ts";
import { type Keys, useKeys } from "../parts/keyboard.ts";

export interface Asked {
  readonly workspace: string;
  readonly session: string;
  readonly call: string;
  /** The call's pending approval, as far as the session's changes tell. */
  readonly waiting: ApprovalView | undefined;
  /** True if the call is shown as it is now: at a past moment nothing can be answered. */
  readonly isLive: boolean;
}

export function useAnswering(asked: Asked) {
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
  const { write, close } = writing;
  const together = useTogether({ close, onSent: () => close() });
  const keys: Keys = {
    a: (event) => together.approve(card, event),
    // BULK-1: several approvals are answered only from a sheet that lists them; `askBulk` opens this sheet.
    A: () => card && together.askBulk(alike(card).filter(canApprove), { decision: "approve" }),
  };
  // The keys that open forms are bound even if no form can open now: a person may not have noticed, and the letters typed next,
  // which were meant for the form, must not act as keys (REPLY-WRITING-2).
  const fields = writeKeys((to, event) => write(card, to, event));
  const reading = isAnswerable ? { ...keys, ...fields } : fields;
  useKeys(mode === "reading" ? reading : { Escape: () => writing.close(), ...STAY }, "part");
  /** The call's pending approval, if the shown approval was answered elsewhere, not on this page (ANSWERING-2). */
  const another = next && next !== card ? next : undefined;
  const showAnother = (): void => keep(another && keyOfCard(another));
  return { card, mode, isSettling: useSettling(card), write, another, showAnother, ...together };
}

export function Answer({ answering }: { readonly answering: ReturnType<typeof useAnswering> }) {
  const { card, mode, isSettling, write, reply, another, showAnother, bulk, endBulk } = answering;
  const section = useRef<HTMLElement>(null);
  const phase = card?.phase.is;
  const phaseBefore = useRef(phase);
  const before = useBefore(card);
  // An answer removes the button that has the focus. The focus then moves to the approval, so that keys still reach it.
  useLayoutEffect(() => {
    if (phaseBefore.current !== phase && document.activeElement === document.body)
      section.current?.focus({ preventScroll: true });
    phaseBefore.current = phase;
  }, [phase]);
  if (!card) return null;
  return (
    <section
      ref={section}
      class={`approval ${card.phase.is}${isSettling ? " settling" : ""}`}
      aria-label="Approval"
      tabIndex={-1}
    >
      {card.phase.is === "open" || mode !== "reading" ? (
        <Whole
          {...{ card, before, mode, isSettling }}
          onMode={(next, event) => write(card, next, event)}
          onReply={reply}
          isInSession
        />
      ) : (
        <PhaseLine phase={card.phase} receipt={card.approval.receipt} />
      )}
      {another && (
        <p>
          The call asks again.{" "}
          <button type="button" onClick={showAnother}>
            Show what it asks now
          </button>
        </p>
      )}
      {bulk && <BulkDialog {...bulk} onEnd={endBulk} />}
    </section>
  );
}

const stay = (): void => undefined;
/** While a person writes an answer, only Escape leads away from the form. */
const STAY: Keys = { a: stay, j: stay, k: stay, m: stay };

const ofCall = (cards: readonly Card[], { workspace, session, call }: Asked): readonly Card[] =>
  cards.filter(
    ({ approval }) =>
      approval.workspace === workspace && approval.sessionId === session && approval.callId === call,
  );

/**
 * The approval of the call to show (ANSWERING-2).
 * It is the one that `kept` names, as long as that one is pending or was answered elsewhere; else the pending one; else the last.
 * @param own the cards of the call's approvals.
 * @param next the card of the pending approval.
 * @param kept the key of the approval that a person writes an answer to; else of the approval that was shown last.
 */
function shownOf(own: readonly Card[], next: Card | undefined, kept: string | undefined): Card | undefined {
  const before = own.find((card) => keyOfCard(card) === kept);
  const isKept = before && (isOpen(before) || before.phase.is === "gone");
  return (isKept ? before : next) ?? before ?? own.findLast((each) => !isOpen(each));
}
