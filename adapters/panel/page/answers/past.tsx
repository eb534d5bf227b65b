// Past
// Lists past approvals, each in one line with its outcome and a link to it.
//
//   Owns:          how a past approval looks as a line of the list.
//   Does not own:  which past approvals are listed (rules, answers).

import type { CountedApproval } from "../../../../runtime/reading/figures/counted.ts";
import { labelOf } from "../../../../runtime/text/state-words.ts";
import { hrefOf } from "../route.ts";
import { gistOf } from "../../../../runtime/text/gist.ts";
import { Line } from "../parts/text.tsx";
import { Since } from "../parts/time.tsx";

type PastApproval = Omit<CountedApproval, "outcome" | "closedAt">;

export const Past = ({ approvals }: { readonly approvals: readonly PastApproval[] }) => (
  <ul class="past">
    {approvals.map((each) => (
      <li key={`${each.workspace} ${each.sessionId} ${each.approvalId}`}>
        <a href={hrefOf({ view: "inbox", approval: { workspace: each.workspace, id: each.approvalId } })}>
          <code>
            <Line text={`${each.tool} ${inputOf(each)}`} />
          </code>
        </a>{" "}
        <span class="quiet">
          <span class={`chip ${each.state}`}>{labelOf(each.state).toLowerCase()}</span>
          {each.by !== undefined && (
            <>
              {" by "}
              <Line text={each.by} />
            </>
          )}
          , asked <Since at={each.askedAt} /> ago
        </span>
      </li>
    ))}
  </ul>
);

/** The words of the input that say what the call is about. The engine sends only its beginning, which may be no valid JSON. */
function inputOf({ input, tool }: PastApproval): string {
  try {
    return gistOf(JSON.parse(input), tool);
  } catch {
    return input;
  }
}
