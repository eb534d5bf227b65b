// Last answer
// How far the answer that was given last has got. On a phone it stands above the buttons of the next approval: the card of
// the answered one is out of sight by then.
//
//   Owns:          the line, its button.
//   Does not own:  which answer it is (choice.ts), the words for each step (card/receipt.tsx).
//
// LAST-ANSWER-1. The line stays until a person opens another approval, answers one, or puts the line away.

import { gistOf } from "../../../../../runtime/text/gist.ts";
import { styled } from "../../look/style.ts";
import { Line } from "../../parts/text.tsx";
import type { Card } from "../card/card.ts";
import { RAN_ANYWAY, stepOf, wrongIn } from "../card/receipt.tsx";

await styled("last-answer");

interface Props {
  readonly card: Card;
  readonly onClose: () => void;
}

export function LastAnswer({ card: { approval, phase }, onClose }: Props) {
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
          <Line text={gistOf((approval as { input?: unknown }).input, tool)} />
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

/** Undefined for an answer that is not sent yet, and for one that failed: its card is still chosen, and says why. */
function saidOf(phase: Card["phase"], receipt: Card["approval"]["receipt"]): Said | undefined {
  switch (phase.is) {
    case "open":
    case "held":
      return undefined;
    case "gone":
      return { words: phase.why };
    case "sending":
      return { decision: phase.reply.decision, words: stepOf(undefined, 0) };
    case "committed": {
      const { decision } = phase.reply;
      const wrong = phase.seen === "ran anyway" ? RAN_ANYWAY : receipt && wrongIn(decision, receipt);
      if (wrong !== undefined) return { words: wrong, isWrong: true };
      return { decision, words: stepOf(receipt, phase.seen === undefined ? 1 : 3) };
    }
  }
}
