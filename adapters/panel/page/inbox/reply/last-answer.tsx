// Last answer
// A line that says how far the last answer has got: for screen readers, and for a phone, where the answered card is out of view.
//
//   Owns:          the line about the last answer, the button that closes the line.
//   Does not own:  which answer the line is about (choice.ts), the words for each step (card/phase.tsx).
//
// LAST-ANSWER-1. The line about the last answer stays until a person opens or answers another approval, or closes the line.

import { gistOf } from "../../../../../runtime/text/gist.ts";
import { styled } from "../../look/style.ts";
import { Line } from "../../parts/text.tsx";
import type { Card } from "../card/card.ts";
import { progressOf, STEPS } from "../card/phase.tsx";

await styled("last-answer");

export function LastAnswer({ card, onClose }: { readonly card: Card; readonly onClose: () => void }) {
  const { approval, phase } = card;
  const { tool, receipt } = approval;
  const said = saidOf(phase, receipt);
  if (!said) return null;
  const { decision, words, isWrong } = said;
  return (
    <>
      <p>
        {decision && <strong class={decision}>{decision === "approve" ? "Approved" : "Denied"}</strong>}
        <span class={isWrong ? "failure" : ""}> {words} </span>
        <span class="gist">
          <Line text={gistOf(approval.input, tool)} />
        </span>
      </p>
      <button type="button" class="plain" aria-label="Put away" onClick={onClose}>
        ✕
      </button>
    </>
  );
}

interface Said {
  readonly words: string;
  readonly decision?: "approve" | "deny";
  readonly isWrong?: boolean;
}

/**
 * What the page says of the last answer; undefined while the answer is not sent yet, and if it failed: its card is then still
 * chosen, and says why.
 */
function saidOf(phase: Card["phase"], receipt: Card["approval"]["receipt"]): Said | undefined {
  switch (phase.is) {
    case "open":
    case "held":
      return undefined;
    case "gone":
      return { words: phase.why };
    case "sending":
    case "committed": {
      const { reached, wrong } = progressOf(phase, receipt);
      if (wrong !== undefined) return { words: wrong, isWrong: true };
      return { decision: phase.reply.decision, words: STEPS[reached] ?? "" };
    }
  }
}
