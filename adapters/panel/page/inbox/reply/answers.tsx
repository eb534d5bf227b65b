// Answers
// The buttons of an approval, and what a denial would do beside them.
//
//   Owns:          which buttons there are, and that each is always at the same place.
//   Does not own:  the fields of an answer (reply.tsx), sending it (choice.ts).
//
// ANSWERS-1. A button stands where it stood on the card before: what cannot be pressed is grey, and what is not always
//     there stands apart.

import type { WholeProps } from "../card/card.ts";
import { AllowLikeThis } from "./allow-like-this.tsx";
import { Consequence } from "../card/consequence.tsx";
import { useHeightAs } from "../../parts/height.ts";
import { alike, canApprove, isOpen } from "../model.ts";
import { ReplyForm } from "./reply.tsx";

export function AnswerButtons({ card, mode, onMode, onReply }: Omit<WholeProps, "before">) {
  const { approval, call } = card;
  const isAsked = isOpen(card);
  const others = alike(card).length - 1;
  return (
    <>
      <div class="answers" ref={useHeightAs("--answers-height")}>
        {mode === "reading" || mode === "ruling" ? (
          isAsked && (
            <Actions canApprove={canApprove(card)} others={others} onMode={onMode} onReply={onReply} />
          )
        ) : (
          <ReplyForm
            key={mode}
            mode={mode}
            others={isAsked ? others : 0}
            isAsked={isAsked}
            input={(approval as { input?: unknown }).input}
            onCancel={() => onMode("reading")}
            onReply={onReply}
          />
        )}
      </div>
      {isAsked && (
        <Consequence approval={approval} isInterrupt={mode === "interrupting"} {...(call && { call })} />
      )}
      <AllowLikeThis key={approval.id} card={card} mode={mode} onMode={onMode} onReply={onReply} />
    </>
  );
}

interface ActionsProps extends Pick<WholeProps, "onMode" | "onReply"> {
  readonly canApprove: boolean;
  /** How many other approvals look the same. */
  readonly others: number;
}

/** What is not always there stands above the others: those keep their places at the lower edge. */
function Actions({ canApprove, others, onMode, onReply }: ActionsProps) {
  return (
    <>
      {canApprove && others > 0 && (
        <button type="button" class="alike" onClick={() => onReply({ decision: "approve" }, true)}>
          Approve all {others + 1} alike… <kbd>A</kbd>
        </button>
      )}
      <div class="actions">
        <button
          type="button"
          class="approve"
          disabled={!canApprove}
          onClick={() => onReply({ decision: "approve" }, false)}
        >
          Approve <kbd>a</kbd>
        </button>
        <button type="button" class="deny" onClick={() => onMode("denying")}>
          Deny… <kbd>d</kbd>
        </button>
        <button type="button" onClick={() => onMode("interrupting")}>
          Deny and interrupt… <kbd>i</kbd>
        </button>
        <button type="button" disabled={!canApprove} onClick={() => onMode("editing")}>
          Edit input… <kbd>e</kbd>
        </button>
      </div>
    </>
  );
}
