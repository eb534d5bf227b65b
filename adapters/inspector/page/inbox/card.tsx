// Card
// One question: who asks, for what exactly, what an answer does.
//
//   Owns:          the form of a card in each of its phases.
//   Does not own:  its data (model.ts), the keys (inbox.tsx), the fields of an answer (reply.tsx).

import type { Card } from "./model.ts";
import { alike, type Reply } from "./model.ts";
import { Consequence } from "./consequence.tsx";
import { ReplyForm } from "./reply.tsx";
import { Where } from "./where.tsx";
import { gistOf } from "../parts/gist.ts";
import { Json } from "../parts/json.tsx";
import { Line, Text } from "../parts/text.tsx";
import { Since } from "../parts/time.tsx";
import { hrefOf } from "../route.ts";

export type Mode = "reading" | "denying" | "interrupting" | "editing";

interface Props {
  readonly card: Card;
  readonly isChosen: boolean;
  readonly mode: Mode;
  readonly onChoose: () => void;
  readonly onMode: (mode: Mode) => void;
  readonly onReply: (reply: Reply, isForAlike: boolean) => void;
}

export function CardView({ card, isChosen, mode, onChoose, onMode, onReply }: Props) {
  const { approval, phase, call } = card;
  const { tool, askedAt, workspace, sessionId } = approval;
  const isOpen = phase.is === "open";
  return (
    <article
      class={`card ${phase.is}`}
      aria-current={isChosen}
      aria-label={`${tool}, ${isOpen ? "waiting" : phase.is}`}
      onClick={isChosen ? undefined : onChoose}
    >
      <header>
        <h2>
          <Line text={tool} />
        </h2>
        <Where workspace={workspace} session={sessionId} />
        <span class="wait">
          {isOpen ? "waiting " : "asked "}
          <Since at={askedAt} />
          {!isOpen && " ago"}
        </span>
      </header>
      {call?.intent && (
        <p class="intent">
          <Text text={call.intent.text} />
          <span class="quiet">
            {" "}
            · {call.intent.source}, {call.intent.confidence}
          </span>
        </p>
      )}
      {isChosen ? <Input approval={approval} /> : <Gist approval={approval} />}
      {isChosen && <Place card={card} />}
      {isOpen && isChosen && <Answer card={card} mode={mode} onMode={onMode} onReply={onReply} />}
      <PhaseLine card={card} />
    </article>
  );
}

function Place({ card: { approval, call } }: { readonly card: Card }) {
  if (!call) return null;
  const { workspace, sessionId: session, callId, ambiguous, candidates } = approval;
  return (
    <p class="quiet place">
      Call {call.index + 1} of its batch{call.ordered ? "" : ", in order of arrival"}
      {String(call.agentId) !== "main" && ` · subagent ${call.agentId}`}
      {ambiguous && ` · one of ${candidates} calls that look alike`} ·{" "}
      <a href={hrefOf({ view: "session", workspace, session, ...(callId && { call: callId }) })}>
        see the session
      </a>
    </p>
  );
}

function Answer({ card, mode, onMode, onReply }: Pick<Props, "card" | "mode" | "onMode" | "onReply">) {
  const { approval } = card;
  return (
    <>
      {mode === "reading" ? (
        <Actions others={alike(card).length - 1} onMode={onMode} onReply={onReply} />
      ) : (
        <ReplyForm
          key={mode}
          mode={mode}
          input={(approval as { input?: unknown }).input}
          onCancel={() => onMode("reading")}
          onReply={(given) => onReply(given, false)}
        />
      )}
      <Consequence approvalId={approval.id} isInterrupt={mode === "interrupting"} />
    </>
  );
}

function Gist({ approval }: { readonly approval: Card["approval"] }) {
  const gist = gistOf((approval as { input?: unknown }).input);
  if (gist === "") return null;
  return (
    <p class="gist">
      <Line text={gist} />
    </p>
  );
}

function Input({ approval }: { readonly approval: Card["approval"] }) {
  const { input, inputBytes, inputHash } = approval as {
    input?: unknown;
    inputBytes?: number;
    inputHash?: string;
  };
  if (inputHash === undefined)
    return (
      <p class="warning">The question does not say what the call is given. It can be denied, not approved.</p>
    );
  if (inputBytes !== undefined && input === undefined)
    return <p class="quiet">Reading the whole input, {inputBytes.toLocaleString()} bytes…</p>;
  return <Json value={input} />;
}

interface ActionsProps {
  readonly others: number;
  readonly onMode: (mode: Mode) => void;
  readonly onReply: Props["onReply"];
}

function Actions({ others, onMode, onReply }: ActionsProps) {
  return (
    <div class="actions">
      <button type="button" class="approve" onClick={() => onReply({ decision: "approve" }, false)}>
        Approve <kbd>a</kbd>
      </button>
      {others > 0 && (
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
      <button type="button" onClick={() => onMode("editing")}>
        Edit input… <kbd>e</kbd>
      </button>
    </div>
  );
}

function PhaseLine({ card: { phase } }: { readonly card: Card }) {
  switch (phase.is) {
    case "open":
      return phase.failure ? (
        <p class="failure" role="alert">
          {phase.failure.message} {phase.failure.next}
        </p>
      ) : null;
    case "sending":
      return <Steps reply={phase.reply} done={0} />;
    case "committed":
      return phase.seen === "ran anyway" ? (
        <p class="failure" role="alert">
          Denied, but the agent ran the call anyway.
        </p>
      ) : (
        <Steps reply={phase.reply} done={phase.seen === undefined ? 1 : 2} />
      );
    case "gone":
      return <p class="reason">{phase.why}</p>;
  }
}

const STEPS = ["sent", "committed", "confirmed by the agent"] as const;

function Steps({ reply, done }: { readonly reply: Reply; readonly done: number }) {
  return (
    <p class="steps" role="status">
      <strong class={reply.decision}>{reply.decision === "approve" ? "Approved" : "Denied"}</strong>
      {STEPS.map((step, index) => (
        <span key={step} class={index <= done ? "reached" : "ahead"}>
          {index <= done ? "● " : "○ "}
          {step}
        </span>
      ))}
    </p>
  );
}
