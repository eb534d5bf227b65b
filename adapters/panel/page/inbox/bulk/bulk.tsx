// Bulk
// A sheet that lists several approvals, and asks a person to confirm one answer to all of them.
//
//   Owns:          the list of the approvals to answer, the confirmation.
//   Does not own:  which approvals the sheet lists (together.ts), sending the answer (held.ts).
//
// BULK-1. The answer is for the approvals in the sheet's list, as the list showed them. A person can confirm the answer only once
//     the list was on the screen for 300 ms (SEEN-2).

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { gistOf } from "../../../../../runtime/text/gist.ts";
import { styled } from "../../look/style.ts";
import { Line } from "../../parts/text.tsx";
import { RiskMark } from "../risk/marks.tsx";
import type { Card, Reply } from "../card/card.ts";
import { keyOfCard } from "../name.ts";
import { Where } from "../card/where.tsx";
import { drawnOf, SEEING_MS, type Seen, seenTogether } from "../seen/seen.ts";

await styled("bulk");

export interface Bulk {
  readonly cards: readonly Card[];
  readonly reply: Reply;
}

interface Props extends Bulk {
  /** @param seen the approvals to answer; undefined if the person confirmed nothing. */
  readonly onEnd: (seen?: readonly Seen[]) => void;
}

export function BulkDialog({ cards, reply, onEnd }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isShown = (): boolean => dialog.current?.open === true;
  const [since, isSettled] = useSince(cards);
  useLayoutEffect(() => {
    if (!isShown()) dialog.current?.showModal();
  }, [cards]);
  const word = reply.decision === "approve" ? "Approve" : "Deny";
  return (
    <dialog
      ref={dialog}
      class="bulk"
      aria-labelledby="bulk-title"
      // A browser reports the closing of a sheet with a delay: by then the sheet may be open again.
      onClose={() => {
        if (!isShown()) onEnd();
      }}
    >
      <h2 id="bulk-title">
        {word} {cards.length === 1 ? "this one" : `these ${cards.length}`}?
      </h2>
      <ol tabIndex={0} aria-label="What is answered">
        {cards.map((card) => (
          <li key={keyOfCard(card)}>
            <Where {...card.approval} />
            <strong>
              <Line text={card.approval.tool} />
            </strong>{" "}
            <RiskMark card={card} />{" "}
            <span class="gist">
              <Line text={gistOf(card.approval.input, card.approval.tool)} />
            </span>
          </li>
        ))}
      </ol>
      {reply.message !== undefined && (
        <p class="quiet">
          Reason: <Line text={reply.message} />
        </p>
      )}
      <form method="dialog" class="actions">
        {/* The button that answers nothing has the focus: Enter pressed too early does no harm. */}
        <button type="submit" autofocus>
          Back <kbd>Esc</kbd>
        </button>
        <button
          type="submit"
          class={reply.decision}
          aria-disabled={!isSettled}
          onClick={(event) => {
            const seen = seenTogether(cards.map(drawnOf), since.current, event.timeStamp);
            if (seen.length > 0) onEnd(seen);
            else event.preventDefault();
          }}
        >
          {word} {cards.length}
        </button>
      </form>
    </dialog>
  );
}

/** When the list was shown first, and whether it has been seen long enough to answer its approvals. */
function useSince(list: readonly Card[]) {
  const since = useRef<number>(undefined);
  const [settled, settle] = useState<readonly Card[]>();
  useEffect(() => {
    since.current = performance.now();
    const timer = setTimeout(() => settle(list), SEEING_MS);
    return () => clearTimeout(timer);
  }, [list]);
  return [since, settled === list] as const;
}
