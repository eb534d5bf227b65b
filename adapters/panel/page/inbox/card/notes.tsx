// Notes
// Notes on an open approval: what a person should know before answering it, or why it cannot be answered in the panel.
//
//   Owns:          which notes are shown, and the words of the notes that only the panel has.
//   Does not own:  the words that the command line prints, too (runtime/text), which answers cannot reach the agent
//                  (runtime/channels).

import type { ApprovalView } from "../../../../../runtime/rows/views.ts";
import { awaySince, lastSeenText } from "../../../../../runtime/text/last-seen-text.ts";
import { votesLines } from "../../../../../runtime/text/votes-text.ts";
import { useAsked } from "../../engine/asked.ts";
import { now, sessionOf } from "../../engine/engine.ts";
import { me } from "../../engine/me.ts";
import { useValue } from "../../engine/value.ts";
import { Line } from "../../parts/text.tsx";

interface Props {
  readonly approval: ApprovalView;
  /** True if the card is shown whole, with the votes. */
  readonly isChosen: boolean;
}

export function Notes({ approval, isChosen }: Props) {
  const { maybeAnswered, engine } = approval;
  const since = awaySince(approval, now.get());
  return (
    <>
      {maybeAnswered && <p class="reason">Probably answered in its terminal: its agent went on.</p>}
      {since !== undefined && (
        <p class="reason">
          <Line text={`${engine} is ${since}.`} />
        </p>
      )}
      {!isChosen && <Votes approval={approval} />}
    </>
  );
}

const clock = (at: number): string => new Date(at).toLocaleTimeString([], { timeStyle: "short" });

export function Votes({ approval }: { readonly approval: ApprovalView }) {
  const current = useValue(now);
  const mine = useValue(me)?.name;
  if (!approval.demands) return null;
  return (
    <>
      {votesLines(approval, current, clock, mine).map((line) => (
        <p key={line} class="votes">
          <Line text={line} />
        </p>
      ))}
    </>
  );
}

/** Stands in place of the buttons if an answer given in the panel would not reach the agent, or the approval's engine is away. */
export function OutOfReach({ approval }: { readonly approval: ApprovalView }) {
  const { workspace, sessionId } = approval;
  const session = useAsked([workspace, sessionId], () => sessionOf(workspace, sessionId));
  const away = lastSeenText(approval, now.get());
  if (away !== undefined)
    return (
      <p class="warning out-of-reach">
        <Line text={away} />
      </p>
    );
  return (
    <p class="warning out-of-reach">
      <strong>Answer it where the agent asks, in its terminal or its program</strong>
      {session?.cwd !== undefined && (
        <>
          {": the agent runs in "}
          <code>
            <Line text={session.cwd} />
          </code>
        </>
      )}
      . Nobody waits for an answer given here: an agent does if <code>npx signalbox install</code> was run
      before it began.
    </p>
  );
}
