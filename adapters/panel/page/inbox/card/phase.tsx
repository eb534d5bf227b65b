// Phase
// Says how far an answer has got, or why an approval needs no answer any more.
//
//   Owns:          the words for each phase of a card, and for each step of an answer.
//   Does not own:  which phase a card is in (model.ts), what the steps are (machines/evidence/receipt).

import type { Receipt } from "../../../../../machines/evidence/receipt.ts";
import { Failure } from "../../parts/failure.tsx";
import type { Phase, Reply } from "./card.ts";

export const STEPS = ["Sent", "Saved", "Taken by the agent", "Confirmed by the agent"] as const;

const SAVED = 1;

const DONE: Readonly<Record<Receipt["step"], number>> = {
  committed: 1,
  taken: 2,
  confirmed: 3,
  lapsed: 1,
  contradicted: 2,
};

interface Props {
  readonly phase: Phase;
  /** How far the answer that decided the approval has got on its way to the agent; absent until the engine has recorded this. */
  readonly receipt?: Receipt | undefined;
  /** True in a row of the list: a screen reader announces the line about the last answer instead (LAST-ANSWER-1). */
  readonly isInRow?: boolean;
}

export function PhaseLine({ phase, receipt, isInRow = false }: Props) {
  switch (phase.is) {
    case "open":
      return phase.failure ? <Failure>{phase.failure.words}</Failure> : null;
    case "held":
      return (
        <p class="steps">
          <strong class={phase.reply.decision}>
            {phase.reply.decision === "approve" ? "To be approved" : "To be denied"}
          </strong>{" "}
          in a moment
        </p>
      );
    case "gone":
      return <p class="reason">{phase.why}</p>;
    case "sending":
    case "committed": {
      const { reached, wrong } = progressOf(phase, receipt);
      if (wrong !== undefined) return <Failure>{wrong}</Failure>;
      const { decision } = phase.reply;
      return (
        <p class="steps" role={isInRow ? undefined : "status"}>
          <strong class={decision}>{decision === "approve" ? "Approved" : "Denied"}</strong>
          {STEPS.map((step, index) => (
            <span key={step} class={index <= reached ? "reached" : "ahead"}>
              {index <= reached ? "● " : "○ "}
              {step}
              {index === reached && index === SAVED && " · waiting for the agent"}
            </span>
          ))}
        </p>
      );
    }
  }
}

/** How far an answer that was given in the panel has got: the index of its last step that is done, and what went wrong. */
export function progressOf(
  phase: Extract<Phase, { readonly is: "sending" | "committed" }>,
  receipt: Receipt | undefined,
): { readonly reached: number; readonly wrong?: string | undefined } {
  if (phase.is === "sending") return { reached: 0 };
  const { reply, seen } = phase;
  const reached = Math.max(seen === undefined ? 1 : 3, receipt ? DONE[receipt.step] : 0);
  const wrong = seen === "ran anyway" ? RAN_ANYWAY : receipt && wrongIn(reply.decision, receipt);
  return { reached, wrong };
}

const RAN_ANYWAY = "Denied, but the agent ran the call anyway.";

/** A sentence if the answer did not reach the agent, or the agent did not obey it; else undefined. */
export function wrongIn(decision: Reply["decision"], { step, call, lapsedAt }: Receipt): string | undefined {
  if (step === "lapsed") {
    const when = lapsedAt === undefined ? "" : ` at ${new Date(lapsedAt).toLocaleTimeString()}`;
    return `Answered too late: the agent had gone on${when}.`;
  }
  if (step !== "contradicted") return undefined;
  if (decision === "deny") return RAN_ANYWAY;
  return call === "not-run"
    ? "Approved, but the agent did not make the call."
    : "Approved, but the agent made the call with another input.";
}
