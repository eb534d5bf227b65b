// Notes
// Notes in the row of an open approval, for a person who is about to answer it.
//
//   Owns:          which notes there are.
//   Does not own:  the words of notes that the command line shows, too (runtime/text).

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
