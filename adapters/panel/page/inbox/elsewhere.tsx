// Elsewhere
// The outcome of an approval that a link asked for, or that was chosen until it was answered elsewhere.
//
//   Owns:          the sentence about the approval, taking the focus.
//   Does not own:  which approval is chosen (bulk/chosen.ts), the pending approvals (model.ts).
//
// ELSEWHERE-1. The page says who answered the approval, that it was withdrawn or lapsed, or that no such approval
//     exists. The keyboard focus moves from the approval's card to that sentence.
// ELSEWHERE-2. A link without a workspace chooses nothing until the engine says which approval the link means.

import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { ApprovalView } from "../../../../runtime/rows/views.ts";
import { labelOf } from "../../../../runtime/text/state-words.ts";
import { ApiError, ask } from "../engine/api.ts";
import { isTyping } from "../parts/keyboard.ts";
import { Line } from "../parts/text.tsx";
import { hrefOf } from "../route.ts";
import type { ApprovalName } from "./name.ts";
import type { Card } from "./card/card.ts";
import { wrongIn } from "./card/receipt.tsx";
import { clearFilter } from "./filter/filter.ts";
import { reasonOf } from "./heard.ts";

interface Props {
  readonly approval: ApprovalName;
  /** The approval's card, if the inbox has one. */
  readonly card: Card | undefined;
  /** True if the filters show the card. */
  readonly isShown: boolean;
  /** Called once the engine has found the approval of a link without a workspace. */
  readonly onFound: (approval: ApprovalName) => void;
}

export function Elsewhere({ approval, card, isShown, onFound }: Props) {
  const { found, failure } = useFound(approval, card?.phase.is);
  const isPending = found?.state === "pending";
  useEffect(() => {
    if (found && isPending && approval.workspace === undefined)
      onFound({ workspace: found.workspace, id: found.id });
  }, [found]);
  const place = useFocus(failure ?? (isPending ? undefined : found));
  if (failure && card?.approval.lastSeenAt === undefined)
    return <Unknown place={place} id={approval.id} failure={failure} />;
  if (!found || (isPending && card && isShown)) return null;
  return (
    <p class="elsewhere" tabIndex={-1} ref={place}>
      The approval of <Call of={found} />{" "}
      {!isPending ? (
        <Fate of={found} />
      ) : card ? (
        <>
          waits, but the filters hide it.{" "}
          <button type="button" onClick={clearFilter}>
            Show all
          </button>
        </>
      ) : (
        "waits, after those shown here."
      )}
    </p>
  );
}

interface Found {
  readonly of?: ApprovalName;
  readonly found?: ApprovalView;
  readonly failure?: ApiError;
}

/** @param phase the phase of the approval's card: when the phase changes, the engine is asked again. */
function useFound(approval: ApprovalName, phase: Card["phase"]["is"] | undefined): Found {
  const { id, workspace } = approval;
  const [known, show] = useState<Found>({});
  useEffect(() => {
    const leaving = new AbortController();
    ask<ApprovalView>(`/v1/approvals/${id}`, { workspace }, leaving.signal).then(
      (found) => show({ of: approval, found }),
      (error: unknown) => {
        if (error instanceof ApiError) show({ of: approval, failure: error });
      },
    );
    return () => leaving.abort();
  }, [id, workspace, phase]);
  const { of } = known;
  return of?.id === id && of.workspace === workspace ? known : {};
}

/** Moves the focus to the sentence about the approval once it is shown, unless somebody is typing or a sheet is open. */
function useFocus(said: unknown): RefObject<HTMLParagraphElement | null> {
  const place = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (said === undefined || isTyping(document.activeElement) || document.querySelector("dialog[open]"))
      return;
    place.current?.focus();
  }, [said]);
  return place;
}

interface UnknownProps {
  readonly place: RefObject<HTMLParagraphElement | null>;
  readonly id: string;
  readonly failure: ApiError;
}

function Unknown({ place, id, failure }: UnknownProps) {
  return (
    <p class="failure elsewhere" role="alert" tabIndex={-1} ref={place}>
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
}

function Call({ of: { tool, workspace, sessionId: session, callId } }: { readonly of: ApprovalView }) {
  return (
    <a href={hrefOf({ view: "session", workspace, session, ...(callId !== undefined && { call: callId }) })}>
      <Line text={tool} />
    </a>
  );
}

function Fate({ of }: { readonly of: ApprovalView }) {
  const { state, by, receipt } = of;
  const wrong = receipt && wrongIn(state === "approved" ? "approve" : "deny", receipt);
  return (
    <>
      needs no answer any more
      {state === "approved" || state === "denied" ? (
        <>
          : <span class={`chip ${state}`}>{labelOf(state).toLowerCase()}</span>
          {by !== undefined && <Line text={` by ${by}`} />}
        </>
      ) : (
        `. ${reasonOf(of)}`
      )}
      {wrong !== undefined && <span class="failure"> {wrong}</span>}
    </>
  );
}
