// Unplaced
// Pending approvals whose call is not known, and which therefore have no row in the timeline.
//
//   Owns:          finding the approvals without a known call, the links to these approvals.
//   Does not own:  approvals with a known call (timeline.tsx).

import type { StateChange } from "../../../../runtime/rows/changes.ts";
import type { ApprovalView } from "../../../../runtime/rows/views.ts";
import { lastOfEach } from "../history/changes.ts";
import { Line } from "../parts/text.tsx";
import { hrefOf } from "../route.ts";

export function Unplaced({ changes }: { readonly changes: readonly StateChange[] }) {
  const approvals = [...lastOfEach(changes).values()].flatMap(({ entity, to, view }) => {
    // The cast is safe: the view in an approval's change is an approval's view (runtime/rows/changes).
    const approval = view as ApprovalView;
    return entity === "approval" && to === "pending" && approval.callId === undefined ? [approval] : [];
  });
  if (approvals.length === 0) return null;
  return (
    <section class="unplaced" aria-label="Approvals without a call">
      <p class="quiet">
        {approvals.length === 1 ? "An approval waits" : `${approvals.length} approvals wait`} for you. The
        engine has not heard of a call that fits:
      </p>
      <ul class="chips">
        {approvals.map(({ id, workspace, tool }) => (
          <li key={id}>
            <a class="chip waiting" href={hrefOf({ view: "inbox", approval: { workspace, id } })}>
              <Line text={tool} />
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
