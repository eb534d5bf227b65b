// Elsewhere
// What became of an approval that the address names but the inbox does not show.
//
//   Owns:          the words.
//   Does not own:  the pending approvals (model.ts).

import { useEffect, useState } from "preact/hooks";
import type { ApprovalView } from "../../../../runtime/rows/views.ts";
import { ApiError, ask } from "../engine/api.ts";
import { Line } from "../parts/text.tsx";
import { labelOf } from "../parts/words.ts";
import { hrefOf, type ApprovalName } from "../route.ts";
import { wrongIn } from "./card/receipt.tsx";

export function Elsewhere({ approval }: { readonly approval: ApprovalName }) {
  const { id, workspace: named } = approval;
  const [found, show] = useState<ApprovalView>();
  const [failure, fail] = useState<ApiError>();
  useEffect(() => {
    const leaving = new AbortController();
    show(undefined);
    fail(undefined);
    ask<ApprovalView>(`/v1/approvals/${id}`, { workspace: named }, leaving.signal).then(
      show,
      (error: unknown) => {
        if (error instanceof ApiError) fail(error);
      },
    );
    return () => leaving.abort();
  }, [id, named]);
  if (failure)
    return (
      <p class="failure" role="alert">
        The approval <Line text={id} /> cannot be shown. {failure.message}
        {failure.candidates.map(({ workspace }) => (
          <>
            {" "}
            <a href={hrefOf({ view: "inbox", approval: { workspace, id } })}>
              <Line text={`In ${workspace}`} />
            </a>
          </>
        ))}
      </p>
    );
  if (!found) return null;
  const { state, by, tool, workspace, sessionId: session, callId, receipt } = found;
  const wrong = receipt && wrongIn(state === "approved" ? "approve" : "deny", receipt);
  return (
    <p class="elsewhere">
      The approval of{" "}
      <a
        href={hrefOf({ view: "session", workspace, session, ...(callId !== undefined && { call: callId }) })}
      >
        <Line text={tool} />
      </a>{" "}
      {state === "pending" ? (
        "waits, after those shown here."
      ) : (
        <>
          needs no answer any more: <span class={`chip ${state}`}>{labelOf(state).toLowerCase()}</span>
          {by !== undefined && ` by ${by}`}
          {wrong !== undefined && <span class="failure"> {wrong}</span>}
        </>
      )}
    </p>
  );
}
