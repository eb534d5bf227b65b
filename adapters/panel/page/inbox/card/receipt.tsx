// Receipt
// How far an answer has got: sent, committed, received by the agent, confirmed by what the agent did; or too late.
//
//   Owns:          the wording of each step.
//   Does not own:  the steps (machines/evidence/receipt), the answers given here (model.ts).

import type { Receipt } from "../../../../../machines/evidence/receipt.ts";
import type { Reply } from "./card.ts";
import { Failure } from "../../parts/failure.tsx";

const STEPS = ["Sent", "Saved", "Taken by the agent", "Confirmed by the agent"] as const;

const SAVED = 1;

const DONE: Readonly<Record<Receipt["step"], number>> = {
  committed: 1,
  taken: 2,
  confirmed: 3,
  lapsed: 1,
  contradicted: 2,
};

interface Props {
  readonly decision: Reply["decision"];
  /** How far the answer has got; absent until the engine has it. */
  readonly receipt?: Receipt | undefined;
  /** How many steps are known to be done without a receipt. */
  readonly done: number;
  readonly isInRow: boolean;
}

const reachedOf = (receipt: Receipt | undefined, done: number): number =>
  Math.max(done, receipt ? DONE[receipt.step] : 0);

/** The last step that is done, in words. */
export const stepOf = (receipt: Receipt | undefined, done: number): string =>
  STEPS[reachedOf(receipt, done)] ?? "";

export function ReceiptLine({ decision, receipt, done, isInRow }: Props) {
  const wrong = receipt && wrongIn(decision, receipt);
  if (wrong !== undefined) return <Failure>{wrong}</Failure>;
  const reached = reachedOf(receipt, done);
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

export const RAN_ANYWAY = "Denied, but the agent ran the call anyway.";

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
