// Answers
// The buttons that answer an approval, and beside them what a denial would do.
//
//   Owns:          which buttons a card has, and keeping each button at one place.
//   Does not own:  the text fields of an answer (reply.tsx), sending the answer (choice.ts).
//
// ANSWERS-1. A button is at the same place on every card: a button that cannot be pressed is grey, not missing, and buttons
//     that only some cards have are apart from the others.

import type { WholeProps } from "../card/card.ts";
import { may } from "../../engine/me.ts";
import { useHeightAs } from "../../parts/size.ts";
import { useKeys } from "../../parts/keyboard.ts";
import { later } from "../../parts/later.tsx";
import { alike, canApprove, isOpen } from "../model.ts";
import { see, untilSeen } from "../seen/eye.ts";
import { ReplyForm } from "./reply.tsx";
import { mayRule } from "./writing.ts";

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
            input={approval.input}
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

/** @param others how many other approvals have the same input. */
type ActionsProps = Omit<WholeProps, "before" | "isInSession"> & { readonly others: number };

/** The buttons that only some cards have come first, so that those of every card are at the lower edge (ANSWERS-1). */
function Actions({ card, others, mode, isSettling, onMode, onReply, onNext }: ActionsProps) {
  const isApprovable = canApprove(card);
  const approve = (event: Event, isForAlike: boolean): void => {
    const seen = see(card, event);
    if (seen?.isWhole) onReply(seen, { decision: "approve" }, isForAlike);
  };
  const later = untilSeen(isSettling);
  return (
    <>
      {isApprovable && others > 0 && (
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
          disabled={!isApprovable}
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
        <button
          type="button"
          disabled={!isApprovable}
          {...later}
          onClick={(event) => onMode("editing", event)}
        >
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

/** Opens the form for a rule that allows calls like this one without asking. */
function AllowLikeThis({ card, mode, onMode }: Pick<WholeProps, "card" | "mode" | "onMode">) {
  const isRuling = mode === "ruling";
  const turn = (event: Event): void => onMode(isRuling ? "reading" : "ruling", event);
  const isOn = mayRule(card);
  useKeys(isOn ? { r: turn } : {}, "part");
  if (!may("manage")) return null;
  return (
    <button type="button" disabled={!isOn} aria-expanded={isRuling} onClick={turn}>
      Allow like this… <kbd>r</kbd>
    </button>
  );
}
