// Votes
// Who must approve together, and who has approved already.
//
//   Owns:          the lines that show that.
//   Does not own:  their words (runtime/text/votes-text), whose vote counts (machines/evidence/votes).

import type { ApprovalView } from "../../../../../runtime/rows/views.ts";
import { votesLines } from "../../../../../runtime/text/votes-text.ts";
import { now } from "../../engine/engine.ts";
import { me } from "../../engine/me.ts";
import { useValue } from "../../engine/value.ts";
import { Line } from "../../parts/text.tsx";

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
