// Consequence
// What a denial would do, call by call, before it is sent.
//
//   Owns:          the words and the list.
//   Does not own:  the prediction: the engine's own turn makes it, and nothing of it is kept.

import { useEffect, useState } from "preact/hooks";
import type { StateChange } from "../../../../runtime/changes.ts";
import type { CallView } from "../../../../runtime/views.ts";
import { ask } from "../engine/api.ts";
import { gistOf } from "../parts/gist.ts";
import { Line } from "../parts/text.tsx";

interface Props {
  readonly approvalId: string;
  readonly isInterrupt: boolean;
}

const SHOWN_MAX = 20;

export function Consequence({ approvalId, isInterrupt }: Props) {
  const [calls, show] = useState<readonly CallView[]>();
  useEffect(() => {
    const leaving = new AbortController();
    const path = `/v1/approvals/${approvalId}/denial`;
    ask<{ items: readonly StateChange[] }>(path, { interrupt: String(isInterrupt) }, leaving.signal).then(
      // The view of a change of a call is a call's (runtime/changes).
      ({ items }) => show(items.filter(isDenied).map(({ view }) => view as CallView)),
      () => show(undefined),
    );
    return () => leaving.abort();
  }, [approvalId, isInterrupt]);
  if (!calls) return null;
  const what = isInterrupt ? "Denying and interrupting" : "Denying";
  if (calls.length <= 1) return <p class="consequence">{what} ends this call alone.</p>;
  return (
    <details class="consequence" open>
      <summary>
        {what} ends {calls.length} calls
      </summary>
      <ol>
        {calls.slice(0, SHOWN_MAX).map((call) => (
          <li key={call.id}>
            <span class="place">{call.index + 1}</span> <Line text={call.tool} />{" "}
            <span class="gist">
              <Line text={gistOf((call as { input?: unknown }).input)} />
            </span>
          </li>
        ))}
      </ol>
      {calls.length > SHOWN_MAX && <p class="quiet">and {calls.length - SHOWN_MAX} more</p>}
    </details>
  );
}

const isDenied = ({ entity, to }: StateChange): boolean => entity === "toolcall" && to === "denied";
