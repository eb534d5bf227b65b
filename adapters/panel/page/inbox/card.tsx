// Card
// One approval: who asks, for what exactly, what an answer does.
//
//   Owns:          the form of a card in each of its phases.
//   Does not own:  its data (model.ts), the keys (inbox.tsx), the fields of an answer (reply.tsx).

import { useEffect } from "preact/hooks";
import type { Reply, Card, Mode } from "./card.ts";
import { alike, canAnswer, canApprove, readWhole } from "./model.ts";
import { Consequence } from "./consequence.tsx";
import { Deadline, Left } from "./deadline.tsx";
import { OutOfReach } from "./out-of-reach.tsx";
import { ReplyForm } from "./reply.tsx";
import { PhaseLine } from "./phase.tsx";
import { Where } from "./where.tsx";
import { gistOf } from "../parts/gist.ts";
import { Json } from "../parts/json.tsx";
import { gistOfMissing, MissingInput, missingIn } from "../parts/missing.tsx";
import { Line, Text } from "../parts/text.tsx";
import { Since } from "../parts/time.tsx";
import { meaningOfIntent } from "../parts/words.ts";
import { hrefOf } from "../route.ts";

interface Props {
  readonly card: Card;
  readonly isChosen: boolean;
  /** It has only just taken another one's place: it takes no key yet. */
  readonly isSettling: boolean;
  readonly mode: Mode;
  readonly onChoose: () => void;
  readonly onMode: (mode: Mode) => void;
  readonly onReply: (reply: Reply, isForAlike: boolean) => void;
}

export function CardView({ card, isChosen, isSettling, mode, onChoose, onMode, onReply }: Props) {
  const { approval, phase } = card;
  const { tool, askedAt } = approval;
  const isOpen = phase.is === "open";
  return (
    <article
      class={`card ${phase.is}${isSettling ? " settling" : ""}`}
      aria-current={isChosen}
      aria-label={`${tool}, ${isOpen ? "waiting" : phase.is}`}
      tabIndex={-1}
      onClick={isChosen ? undefined : onChoose}
    >
      <header>
        <h2>
          {isChosen ? (
            <Line text={tool} />
          ) : (
            <button type="button" class="bare">
              <Line text={tool} />
            </button>
          )}
        </h2>
        {!isChosen && <Gist approval={approval} />}
        <span class="wait">
          {isOpen ? "waiting " : "asked "}
          <Since at={askedAt} />
          {!isOpen && " ago"}
          {isOpen && <Left approval={approval} />}
        </span>
      </header>
      {isChosen ? (
        <Whole card={card} mode={mode} onMode={onMode} onReply={onReply} />
      ) : (
        <div class="context">
          <PhaseLine phase={phase} />
          <Context card={card} />
        </div>
      )}
    </article>
  );
}

/** Of a card that is not the chosen one: whose it is, and what for. */
function Context({ card: { approval, call } }: { readonly card: Card }) {
  return (
    <>
      <Where workspace={approval.workspace} session={approval.sessionId} />
      {call?.intent && (
        <span class="intent">
          <Line text={call.intent.text} />
        </span>
      )}
    </>
  );
}

function Whole({ card, mode, onMode, onReply }: Pick<Props, "card" | "mode" | "onMode" | "onReply">) {
  const { approval, phase, call } = card;
  return (
    <>
      <div class="context">
        <Where workspace={approval.workspace} session={approval.sessionId} />
      </div>
      {call?.intent && (
        <p class="intent">
          <Text text={call.intent.text} />
          <span class="quiet"> · {meaningOfIntent(call.intent)}</span>
        </p>
      )}
      <Input card={card} />
      {approval.callId !== undefined && <Place card={card} />}
      <Deadline approval={approval} isOpen={phase.is === "open"} />
      {phase.is === "open" &&
        (canAnswer(card) ? (
          <AnswerButtons card={card} mode={mode} onMode={onMode} onReply={onReply} />
        ) : (
          <OutOfReach approval={approval} />
        ))}
      <PhaseLine phase={phase} />
    </>
  );
}

/** Its line is there before the call is read: nothing below it moves then. */
function Place({ card: { approval, call } }: { readonly card: Card }) {
  const { workspace, sessionId: session, callId, ambiguous, candidates } = approval;
  return (
    <p class="quiet place">
      {call ? `Call ${call.index + 1} of its batch` : "A call"}
      {call && !call.ordered && ", in order of arrival"}
      {call && String(call.agentId) !== "main" && ` · subagent ${call.agentId}`}
      {ambiguous && ` · one of ${candidates} calls that look alike`} ·{" "}
      <a href={hrefOf({ view: "session", workspace, session, ...(callId && { call: callId }) })}>
        see the session
      </a>
    </p>
  );
}

function AnswerButtons({ card, mode, onMode, onReply }: Pick<Props, "card" | "mode" | "onMode" | "onReply">) {
  const { approval, call } = card;
  const others = alike(card).length - 1;
  return (
    <>
      <div class="answers">
        {mode === "reading" ? (
          <Actions canApprove={canApprove(card)} others={others} onMode={onMode} onReply={onReply} />
        ) : (
          <ReplyForm
            key={mode}
            mode={mode}
            others={others}
            input={(approval as { input?: unknown }).input}
            onCancel={() => onMode("reading")}
            onReply={onReply}
          />
        )}
      </div>
      <Consequence
        approvalId={approval.id}
        workspace={approval.workspace}
        isInterrupt={mode === "interrupting"}
        {...(call && { call })}
      />
    </>
  );
}

function Gist({ approval }: { readonly approval: Card["approval"] }) {
  const missing = missingIn(approval);
  return (
    <p class="gist">
      <Line text={missing ? gistOfMissing(missing) : gistOf((approval as { input?: unknown }).input)} />
    </p>
  );
}

function Input({ card: { approval, phase } }: { readonly card: Card }) {
  const isAsked = phase.is === "open";
  const { input, inputBytes, inputHash } = approval as {
    input?: unknown;
    inputBytes?: number;
    inputHash?: string;
  };
  const missing = missingIn(approval);
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
  return <Json value={input} />;
}

interface ActionsProps {
  readonly canApprove: boolean;
  readonly others: number;
  readonly onMode: (mode: Mode) => void;
  readonly onReply: Props["onReply"];
}

function Actions({ canApprove, others, onMode, onReply }: ActionsProps) {
  return (
    <div class="actions">
      {canApprove && (
        <button type="button" class="approve" onClick={() => onReply({ decision: "approve" }, false)}>
          Approve <kbd>a</kbd>
        </button>
      )}
      {canApprove && others > 0 && (
        <button type="button" onClick={() => onReply({ decision: "approve" }, true)}>
          Approve all {others + 1} alike <kbd>A</kbd>
        </button>
      )}
      <button type="button" class="deny" onClick={() => onMode("denying")}>
        Deny… <kbd>d</kbd>
      </button>
      <button type="button" onClick={() => onMode("interrupting")}>
        Deny and interrupt… <kbd>i</kbd>
      </button>
      {canApprove && (
        <button type="button" onClick={() => onMode("editing")}>
          Edit input… <kbd>e</kbd>
        </button>
      )}
    </div>
  );
}
