// Whole
// The whole card of the chosen approval: its purpose, its exact input, its deadline, what an answer does.
//
//   Owns:          how the whole card looks in each phase of its approval.
//   Does not own:  the data of the card (model.ts), its row in the list (card.tsx), the buttons (answers.tsx).

import { useEffect } from "preact/hooks";
import type { CallAnswer } from "../../../../../runtime/reading/queries.ts";
import { Behind } from "../background/behind.tsx";
import { AnswerButtons } from "../reply/answers.tsx";
import { useBatch, useLinger } from "./batch.ts";
import type { Card, WholeProps } from "./card.ts";
import { Deadline } from "./deadline.tsx";
import { canAnswer, readWhole } from "../model.ts";
import { InputView } from "../input/input.tsx";
import { PhaseLine } from "./phase.tsx";
import { useMay } from "../../engine/me.ts";
import { doubtOfIntent, leadOfIntent } from "../../parts/intent-words.ts";
import { later } from "../../parts/later.tsx";
import { MissingInput } from "../../parts/missing.tsx";
import { Line, Text } from "../../parts/text.tsx";
import { hrefOf } from "../../route.ts";
import { Beside, Risks } from "../risk/marks.tsx";
import { useEye } from "../seen/eye.ts";

/** The page loads these parts on demand: few approvals need several votes, and few cannot be answered in the panel. */
const OutOfReach = later(async () => (await import("./notes.tsx")).OutOfReach);
const Votes = later(async () => (await import("./notes.tsx")).Votes);

export function Whole({ card, before, isInSession = false, ...answering }: WholeProps) {
  const { mode, onNext } = answering;
  const { approval, phase, call } = card;
  const eye = useEye(card, mode === "ruling");
  const isOpen = phase.is === "open";
  useWordsLater(isOpen && call?.intent?.confidence !== "certain", approval);
  const mayDecide = useMay("decide");
  return (
    <div class="whole" data-approval={approval.id}>
      <p class="asks" aria-hidden="true">
        <Line text={approval.tool} />
      </p>
      {call?.intent && (
        <p class="intent">
          <span class="quiet">{leadOfIntent(call.intent)}</span>
          <Text text={call.intent.text} />
          <span class="quiet">{doubtOfIntent(call.intent)}</span>
        </p>
      )}
      <Beside card={card} before={before} />
      {isOpen && <Risks card={card} />}
      <div class="seen" ref={eye}>
        <Input card={card} />
      </div>
      {approval.callId !== undefined && <Place card={card} isInSession={isInSession} />}
      {isOpen && approval.demands && <Votes approval={approval} />}
      <Deadline approval={approval} isOpen={isOpen} />
      {(isOpen || mode !== "reading") &&
        (canAnswer(card) ? (
          <AnswerButtons card={card} {...answering} />
        ) : mayDecide ? (
          <OutOfReach approval={approval} />
        ) : (
          <Lacks part="decide" />
        ))}
      {isOpen && !isInSession && (
        <div class="team">
          <Team card={card} onNext={onNext} />
        </div>
      )}
      {isOpen && !isInSession && <Behind card={card} />}
      <footer class="foot">
        <PhaseLine phase={phase} receipt={approval.receipt} />
      </footer>
    </div>
  );
}

const Team = later(async () => (await import("../team/team.tsx")).Team);
const Lacks = later(async () => (await import("../../parts/lacks.tsx")).Lacks);

/** While the intent is not certain, the approval is read again so long after its card is chosen, ms: it may be found late. */
const WORDS_AFTER_MS = [300, 1_000, 3_000, 10_000];

function useWordsLater(isAwaited: boolean, { workspace, id }: Card["approval"]): void {
  useEffect(() => {
    if (!isAwaited) return;
    const timers = WORDS_AFTER_MS.map((ms) => setTimeout(() => void readWhole({ workspace, id }), ms));
    return () => timers.forEach(clearTimeout);
  }, [isAwaited, workspace, id]);
}

function Step({ call }: { readonly call: CallAnswer }) {
  const isRead = useLinger();
  const batch = useBatch(isRead ? call : undefined);
  return (
    <>
      Step {call.index + 1}
      {batch?.isWhole && batch.calls.length > 1 && ` of ${Math.max(batch.calls.length, call.index + 1)}`}
    </>
  );
}

/** Says which call of its batch the approval is about; drawn even before the call is read, so that nothing below it moves. */
function Place({ card: { approval, call }, isInSession }: Pick<WholeProps, "card" | "isInSession">) {
  const { workspace, sessionId: session, callId, ambiguous, candidates } = approval;
  return (
    <p class="quiet place">
      {call ? <Step key={call.id} call={call} /> : "A call"}
      {call && !call.ordered && ", in order of arrival"}
      {call && String(call.agentId) !== "main" && ` · subagent ${call.agentId}`}
      {ambiguous && ` · one of ${candidates} calls that look alike`}
      {!isInSession && (
        <>
          {" · "}
          <a href={hrefOf({ view: "session", workspace, session, ...(callId && { call: callId }) })}>
            see the session
          </a>
        </>
      )}
    </p>
  );
}

function Input({ card: { approval, phase } }: { readonly card: Card }) {
  const isAsked = phase.is === "open";
  const { input, inputBytes, inputHash, inputMissing: missing } = approval;
  const isShort = inputBytes !== undefined && input === undefined && !missing;
  useEffect(() => {
    if (isShort) void readWhole(approval);
  }, [approval.workspace, approval.id, isShort]);
  if (missing) return <MissingInput why={missing} isAsked={isAsked} />;
  if (inputHash === undefined)
    return (
      <p class="warning">
        The approval does not show the input of the call. You can deny it, but not approve it.
      </p>
    );
  if (isShort) return <p class="quiet">Reading the whole input, {inputBytes.toLocaleString()} bytes…</p>;
  return (
    <InputView tool={approval.tool} input={input} isAsked={isAsked} asked={isAsked ? approval : undefined} />
  );
}
