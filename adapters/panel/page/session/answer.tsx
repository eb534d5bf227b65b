// Answer
// The pending approval of a call, answered beside the timeline with the same parts as in the inbox.
//
//   Owns:          where the approval stands in the call's details; keeping the focus on it.
//   Does not own:  the parts (inbox/card, inbox/reply), the keys (answering.ts).

import { useLayoutEffect, useRef } from "preact/hooks";
import { BulkDialog } from "../inbox/bulk/bulk.tsx";
import { PhaseLine } from "../inbox/card/phase.tsx";
import { Whole } from "../inbox/card/whole.tsx";
import { useBefore } from "../inbox/risk/before.ts";
import type { Answering } from "./answering.ts";

export function Answer({ answering }: { readonly answering: Answering }) {
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
      {bulk && <BulkDialog {...bulk} onSend={endBulk} onClose={() => endBulk()} />}
    </section>
  );
}
