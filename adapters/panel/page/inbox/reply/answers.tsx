// Answers
// The buttons of an approval, and beside them what a denial would do.
//
//   Owns:          which buttons there are, and that each stays at one place.
//   Does not own:  the fields of an answer (reply.tsx), sending the answer (choice.ts).
//
// ANSWERS-1. A button stays where it was on the card before. A button that cannot be pressed is grey. Buttons that are
//     only sometimes there are set apart.

import type { WholeProps } from "../card/card.ts";
import { AllowLikeThis } from "./allow-like-this.tsx";
import { useHeightAs } from "../../parts/height.ts";
import { later } from "../../parts/later.tsx";
import { alike, canApprove, isOpen } from "../model.ts";
import { see } from "../seen/eye.ts";
import { ReplyForm } from "./reply.tsx";

const RuleForm = later(async () => (await import("./rule-form.tsx")).RuleForm);
const Consequence = later(async () => (await import("../card/consequence.tsx")).Consequence);

export function AnswerButtons(whole: Omit<WholeProps, "before">) {
  const { card, mode, isSettling, onMode, onReply, onNext } = whole;
  const { approval, call } = card;
  const isAsked = isOpen(card);
  const others = alike(card).length - 1;
  return (
    <>
      <div class="answers" ref={useHeightAs("--answers-height")}>
        {mode === "reading" || mode === "ruling" ? (
          isAsked && <Actions {...{ card, others, mode, isSettling, onMode, onReply, onNext }} />
        ) : (
          <ReplyForm
            key={mode}
            mode={mode}
            others={isAsked ? others : 0}
            isAsked={isAsked}
            input={(approval as { input?: unknown }).input}
            isSettling={isSettling}
            onCancel={() => onMode("reading")}
            onReply={(event, given, isForAlike) => {
              const seen = see(card, event);
              if (seen) onReply(seen, given, isForAlike);
            }}
          />
        )}
      </div>
      {isAsked && (
        <Consequence approval={approval} isInterrupt={mode === "interrupting"} {...(call && { call })} />
      )}
      {mode === "ruling" && (
        <section class="allow-like-this" aria-label="Allow like this">
          <RuleForm {...{ card, isSettling, onReply }} onClose={() => onMode("reading")} />
        </section>
      )}
    </>
  );
}

interface ActionsProps extends Omit<WholeProps, "before" | "isInSession"> {
  /** How many other approvals have the same input. */
  readonly others: number;
}

/** The buttons that are only sometimes there are above the others, so that the others stay at the lower edge. */
function Actions({ card, others, mode, isSettling, onMode, onReply, onNext }: ActionsProps) {
  const may = canApprove(card);
  const approve = (event: Event, isForAlike: boolean): void => {
    const seen = see(card, event);
    if (seen?.isWhole) onReply(seen, { decision: "approve" }, isForAlike);
  };
  const later = { "aria-disabled": isSettling };
  return (
    <>
      {may && others > 0 && (
        <p class="alike">
          <button type="button" {...later} onClick={(event) => approve(event, true)}>
            Approve all {others + 1} alike… <kbd>A</kbd>
          </button>{" "}
          <small class="quiet">The buttons below answer this one alone.</small>
        </p>
      )}
      <div class="actions">
        <button
          type="button"
          class="approve"
          disabled={!may}
          {...later}
          onClick={(event) => approve(event, false)}
        >
          Approve <kbd>a</kbd>
        </button>
        <button type="button" class="deny" {...later} onClick={(event) => onMode("denying", event)}>
          Deny… <kbd>d</kbd>
        </button>
        <button type="button" {...later} onClick={(event) => onMode("interrupting", event)}>
          Deny and interrupt… <kbd>i</kbd>
        </button>
        <button type="button" disabled={!may} {...later} onClick={(event) => onMode("editing", event)}>
          Edit input… <kbd>e</kbd>
        </button>
        <AllowLikeThis {...{ card, mode, onMode }} />
        {onNext && (
          <button type="button" class="next" onClick={onNext}>
            Next
          </button>
        )}
      </div>
    </>
  );
}
