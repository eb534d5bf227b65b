// Elsewhere
// Says what became of an approval that a link named, or that was chosen until somebody answered it elsewhere, not on this page.
//
//   Owns:          the sentence about the outcome of an approval, moving the focus to the sentence.
//   Does not own:  which approval is chosen (bulk/chosen.ts), the pending approvals (model.ts).
//
// ELSEWHERE-1. If an approval was answered elsewhere, a sentence says by whom; or it says that the approval was withdrawn or
//     lapsed, or does not exist. The keyboard focus moves from the approval's card to this sentence.
// ELSEWHERE-2. A link without a workspace chooses no approval until the engine has said which approval the link means.

import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { ApprovalView } from "../../../../runtime/rows/views.ts";
import { labelOf } from "../../../../runtime/text/state-words.ts";
import { type ApiError, ask, refusal } from "../engine/api.ts";
import { useAsked } from "../engine/asked.ts";
import { isTyping } from "../parts/keyboard.ts";
import { Line } from "../parts/text.tsx";
import { hrefOf } from "../route.ts";
import { type ApprovalName, cardNamed } from "./name.ts";
import type { Card } from "./card/card.ts";
import { wrongIn } from "./card/phase.tsx";
import { clearFilter } from "./filter/filter.ts";
import { reasonOf } from "./heard.ts";

interface Props {
  readonly approval: ApprovalName;
  readonly cards: readonly Card[];
  /** The cards that the filters show. */
  readonly shown: readonly Card[];
  /** Called once the engine has found which pending approval a link without a workspace means. */
  readonly onFound: (approval: ApprovalName) => void;
}

export function Elsewhere({ approval, cards, shown, onFound }: Props) {
  const card = cardNamed(cards, approval);
  const { found, failure } = useFound(approval, card?.phase.is);
  const isPending = found?.state === "pending";
  useEffect(() => {
    if (found && isPending && approval.workspace === undefined)
      onFound({ workspace: found.workspace, id: found.id });
  }, [found]);
  const place = useFocus(failure ?? (isPending ? undefined : found));
  if (failure && card?.approval.lastSeenAt === undefined)
    return <Unknown place={place} id={approval.id} failure={failure} />;
  if (!found || (isPending && card && shown.includes(card))) return null;
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
  const known = useAsked([id, workspace, phase], (signal) =>
    ask<ApprovalView>(`/v1/approvals/${id}`, { workspace }, signal).then(
      (found): Found => ({ of: approval, found }),
      (error: unknown): Found => ({ of: approval, failure: refusal(error) }),
    ),
  );
  return known?.of?.id === id && known.of.workspace === workspace ? known : {};
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
