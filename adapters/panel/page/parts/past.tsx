// Cases
// Past approvals that a rule would have answered, each with what became of it and a link to it.
//
//   Owns:          how they look.
//   Does not own:  which they are (the engine's trial).

import type { Trial } from "../../../../runtime/reading/rule-trial.ts";
import { labelOf } from "../../../../runtime/text/state-words.ts";
import { gistOf } from "../parts/gist.ts";
import { Line } from "../parts/text.tsx";
import { Since } from "../parts/time.tsx";
import { hrefOf } from "../route.ts";

export type Case = Trial["items"][number];

interface Props {
  readonly workspace: string;
  readonly cases: readonly Case[];
}

export const Cases = ({ workspace, cases }: Props) => (
  <ul class="cases">
    {cases.map((each) => (
      <li key={`${each.sessionId} ${each.approvalId}`}>
        <a href={hrefOf({ view: "inbox", approval: { workspace, id: each.approvalId } })}>
          <code>
            <Line text={`${each.tool} ${inputOf(each)}`} />
          </code>
        </a>{" "}
        <Fate {...each} />
      </li>
    ))}
  </ul>
);

function Fate({ state, by, askedAt, differs, would }: Case) {
  // Withdrawn ones may have been answered at the client: where they differ, it is known how.
  const said = differs ? (would === "allow" ? "denied" : "approved") : state;
  return (
    <span class="quiet">
      <span class={`chip ${said}`}>{labelOf(said).toLowerCase()}</span>
      {by !== undefined && (
        <>
          {" by "}
          <Line text={by} />
        </>
      )}
      , asked <Since at={askedAt} /> ago
    </span>
  );
}

/** Only the beginning of it is told, which may be no JSON any more. */
function inputOf({ input, tool }: Case): string {
  try {
    return gistOf(JSON.parse(input), tool);
  } catch {
    return input;
  }
}
