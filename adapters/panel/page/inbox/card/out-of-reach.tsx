// Out of reach
// Stands in place of the buttons if an answer given here would not reach the agent, or its engine is away.
//
//   Owns:          the wording of that notice.
//   Does not own:  which approvals that is true for (runtime/channels), the words for an engine that is away (runtime/text).

import type { ApprovalView } from "../../../../../runtime/rows/views.ts";
import { lastSeenText } from "../../../../../runtime/text/last-seen-text.ts";
import { useAsked } from "../../engine/asked.ts";
import { now, sessionOf } from "../../engine/engine.ts";
import { Line } from "../../parts/text.tsx";

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
