// Lookers
// Shows in an approval's row to whom the approval is assigned, and who else looks at the approval now.
//
//   Owns:          the words about the assignee and about people who look.
//   Does not own:  reporting to the engine (looking.ts, assign.tsx), receiving what others report (engine/follow.ts).

import { nameWithoutDoor } from "../../../../../machines/evidence/votes.ts";
import type { ApprovalView } from "../../../../../runtime/rows/views.ts";
import { follow } from "../../engine/engine.ts";
import { isMe, me } from "../../engine/me.ts";
import { useValue } from "../../engine/value.ts";
import { Line } from "../../parts/text.tsx";
import { keyOf } from "../name.ts";

/** If more people than this look at the approval, only their number is shown. */
const NAMED_MAX = 3;

export function Lookers({ approval }: { readonly approval: ApprovalView }) {
  const { assigned } = approval;
  useValue(me);
  const names = useValue(follow.looking)
    .filter((each) => keyOf(each) === keyOf(approval) && !isMe(each.name))
    .map(({ name }) => nameWithoutDoor(name));
  const said = names.length > NAMED_MAX ? names.length : names.join(", ");
  const lines = assigned ? [`For ${isMe(assigned.to) ? "you" : assigned.to}`] : [];
  if (names.length > 0) lines.push(`Looking now: ${said}`);
  return (
    <>
      {lines.map((line) => (
        <span key={line} class="lookers">
          <Line text={line} />
        </span>
      ))}
    </>
  );
}
