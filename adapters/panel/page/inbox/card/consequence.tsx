// Consequence
// Shows, before a person denies a call, which calls the denial would end, and how the batch goes on after each answer.
//
//   Owns:          the words and the lists that show the consequences.
//   Does not own:  predicting the consequences: the engine tries the denial in a turn, and stores nothing of that turn.

import type { StateChange } from "../../../../../runtime/rows/changes.ts";
import type { CallAnswer } from "../../../../../runtime/reading/queries.ts";
import { endsByDenial } from "../../../../../runtime/rows/call-states.ts";
import type { ApprovalView, CallView } from "../../../../../runtime/rows/views.ts";
import { useAsked } from "../../engine/asked.ts";
import { ask } from "../../engine/api.ts";
import { gistOf } from "../../../../../runtime/text/gist.ts";
import { Line } from "../../parts/text.tsx";
import { useBatch, useLinger } from "./batch.ts";

interface Props {
  readonly approval: Pick<ApprovalView, "id" | "workspace" | "callId">;
  readonly isInterrupt: boolean;
  readonly call?: CallAnswer;
}

const SHOWN_MAX = 20;

export function Consequence({ approval: { id: approvalId, workspace, callId }, isInterrupt, call }: Props) {
  const isRead = useLinger();
  const ended = useEnded(isRead ? approvalId : undefined, workspace, isInterrupt);
  const batch = useBatch(isRead ? call : undefined);
  if (!ended) return null;
  const what = isInterrupt ? "Denying and interrupting" : "Denying";
  const ids = new Set(ended.map(({ id }) => id as string));
  const others = ended.filter(({ id }) => id !== callId);
  const after = batch?.calls.filter(({ index }) => index > (call?.index ?? 0)) ?? [];
  const going = after.filter(({ id, execution }) => !ids.has(id) && WAITING.has(execution));
  return (
    <div class="consequence">
      {others.length === 0 ? (
        <p>
          {what} ends only this call{going.length > 0 && `; ${counted(going.length)} after it would go on`}.
        </p>
      ) : (
        <details open>
          <summary>
            {what} also cancels {counted(others.length, "later ")}
            {going.length > 0 && `; ${counted(going.length)} would go on`}
          </summary>
          <Calls calls={others} />
        </details>
      )}
      {going.length > 0 && (
        <details>
          <summary>What would go on</summary>
          <Calls calls={going} />
        </details>
      )}
    </div>
  );
}

/** The states of a call that has not begun to run: an answer can still stop it. */
const WAITING: ReadonlySet<string> = new Set(["created", "queued"]);

const counted = (count: number, which = ""): string => `${count} ${which}${count === 1 ? "call" : "calls"}`;

function Calls({ calls }: { readonly calls: readonly CallView[] }) {
  return (
    <>
      <ol>
        {calls.slice(0, SHOWN_MAX).map((call) => (
          <li key={call.id} class="one-line">
            <span class="place">{call.index + 1}</span> <Line text={call.tool} />{" "}
            <span class="gist">
              <Line text={gistOf(call.input, call.tool)} />
            </span>
          </li>
        ))}
      </ol>
      {calls.length > SHOWN_MAX && <p>and {calls.length - SHOWN_MAX} more</p>}
    </>
  );
}

function useEnded(
  approvalId: string | undefined,
  workspace: string,
  isInterrupt: boolean,
): readonly CallView[] | undefined {
  const found = useAsked([approvalId, workspace, isInterrupt], (signal) => {
    if (approvalId === undefined) return undefined;
    const given = { workspace, interrupt: String(isInterrupt) };
    return ask<{ items: readonly StateChange[] }>(`/v1/approvals/${approvalId}/denial`, given, signal);
  });
  // The cast is safe: the view in a call's change is a call's view (runtime/rows/changes).
  return found?.items.filter(isEnd).map(({ view }) => view as CallView);
}

const isEnd = ({ entity, to }: StateChange): boolean => entity === "toolcall" && endsByDenial(to);
