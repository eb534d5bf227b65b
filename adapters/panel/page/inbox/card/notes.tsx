// Notes
// What is to be known of an open approval before it is answered, in its row.
//
//   Owns:          which lines there are.
//   Does not own:  the words of those that others say, too (runtime/text).

import type { ApprovalView } from "../../../../../runtime/rows/views.ts";
import { awaySince } from "../../../../../runtime/text/last-seen-text.ts";
import { now } from "../../engine/engine.ts";
import { Line } from "../../parts/text.tsx";
import { Votes } from "./votes.tsx";

interface Props {
  readonly approval: ApprovalView;
  /** True if the card is shown whole, with the votes. */
  readonly isChosen: boolean;
}

export function Notes({ approval, isChosen }: Props) {
  const { maybeAnswered, engine, demands } = approval;
  const since = awaySince(approval, now.get());
  return (
    <>
      {maybeAnswered && <p class="reason">Probably answered in its terminal: its agent went on.</p>}
      {since !== undefined && (
        <p class="reason">
          <Line text={`${engine} is ${since}.`} />
        </p>
      )}
      {demands && !isChosen && <Votes approval={approval} />}
    </>
  );
}
