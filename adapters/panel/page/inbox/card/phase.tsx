// Phase
// The phase of an approval in words: how far an answer given here has got, or why no answer is needed.
//
//   Owns:          the wording for each phase.
//   Does not own:  the phases (model.ts).

import type { Receipt } from "../../../../../machines/evidence/receipt.ts";
import { Failure } from "../../parts/failure.tsx";
import type { Phase } from "./card.ts";
import { RAN_ANYWAY, ReceiptLine } from "./receipt.tsx";

interface Props {
  readonly phase: Phase;
  /** How far the answer that counted has got. */
  readonly receipt?: Receipt | undefined;
  /** True in the row of a list: a screen reader hears of the last answer beside the list (LAST-ANSWER-1). */
  readonly isInRow?: boolean;
}

export function PhaseLine({ phase, receipt, isInRow = false }: Props) {
  switch (phase.is) {
    case "open":
      return phase.failure ? <Failure>{phase.failure.words}</Failure> : null;
    case "held":
      return (
        <p class="steps">
          <strong class={phase.reply.decision}>
            {phase.reply.decision === "approve" ? "To be approved" : "To be denied"}
          </strong>{" "}
          in a moment
        </p>
      );
    case "sending":
      return <ReceiptLine decision={phase.reply.decision} done={0} isInRow={isInRow} />;
    case "committed":
      return phase.seen === "ran anyway" ? (
        <Failure>{RAN_ANYWAY}</Failure>
      ) : (
        <ReceiptLine
          decision={phase.reply.decision}
          receipt={receipt}
          done={phase.seen === undefined ? 1 : 3}
          isInRow={isInRow}
        />
      );
    case "gone":
      return <p class="reason">{phase.why}</p>;
  }
}
