// Receipt
// What became of an answer to an approval: stored, received by the program that requested the approval (the requester),
// confirmed or contradicted by what the agent did, or lapsed.
//
//   Owns:          which facts an approval keeps about its answer, and the receipt that follows from these facts.
//   Does not own:  where the facts come from (routing/approvals/evidence), whether a call raises an alarm (alarm).
//
// RECEIPT-1. A receipt depends only on the facts that the approval stores, not on their order. Each fact is stored once.
// RECEIPT-2. An answer has lapsed if its requester ended, or told its client something without this engine's answer, and nobody
//     reports that the requester received the answer. A lapsed answer is never confirmed: the agent did not act on it.
// RECEIPT-3. If the requester's acknowledgement is lost, the receipt of the answer stays `committed`, because nothing more is
//     known about the answer.
// RECEIPT-4. An approving answer is confirmed if the call ran with the approved input. If the result shows no input, the call
//     counts as run with the approved input, unless the call is known to have been started with another input. A denial is
//     confirmed if the client reports that the call did not run. Any other outcome of the call contradicts the answer.

/** An answer that came too late, because another answer counted first. */
export interface OtherAnswer {
  readonly at: number;
  readonly by: string;
  readonly via?: string;
  readonly decision: "approve" | "deny";
}

export interface Alone {
  readonly at: number;
  readonly said: "ask" | "deny";
}

export interface ReceiptFacts {
  /** Where the answer was given, as its sender reports it: `panel`, `cli`, `http`, `nats`, … */
  readonly via?: string;
  /** Present if the requester reported that it got the answer and passed it on. */
  readonly taken?: { readonly at: number; readonly by: string };
  readonly alone?: { readonly at: number; readonly said?: "ask" | "deny" };
  /** Present if the requester had ended, so that nobody got the answer. */
  readonly left?: { readonly at: number };
  /**
   * Present if the call ran. `inputHash`: the input in its result, if the result shows one. `startedOn`: the input that the call
   * was started with, if the approval was about another input.
   */
  readonly ran?: { readonly at: number; readonly inputHash?: string; readonly startedOn?: string };
  readonly notRun?: { readonly at: number };
  readonly others?: readonly OtherAnswer[];
}

export interface Receipt {
  readonly step: "committed" | "taken" | "confirmed" | "lapsed" | "contradicted";
  readonly committedAt: number;
  readonly takenAt?: number;
  readonly takenBy?: string;
  readonly confirmedAt?: number;
  readonly call?: "ran" | "ran-other-input" | "not-run";
  readonly lapsedAt?: number;
  /** What the requester told its client without this engine's answer; absent if the requester had ended or did not report it. */
  readonly lapsedSaid?: "ask" | "deny";
}

export interface Answered extends ReceiptFacts {
  readonly closedAt?: number;
  /** True if the approval was answered at its source, so nobody answered it in this engine. */
  readonly observed?: true;
  readonly input?: { readonly hash: string };
  readonly updatedInput?: { readonly hash: string };
}

/** What became of an approval's answer. @returns undefined if nobody answered the approval in this engine. */
export function receiptOf(state: string, approval: Answered): Receipt | undefined {
  const { closedAt, observed, taken, alone, left, ran, notRun } = approval;
  if ((state !== "approved" && state !== "denied") || observed || closedAt === undefined) return undefined;
  const lapse = taken ? undefined : (alone ?? left);
  const call = seenOf(approval);
  const known = {
    committedAt: closedAt,
    ...(taken && { takenAt: taken.at, takenBy: taken.by }),
    ...(call && { call }),
    ...(lapse && { lapsedAt: lapse.at }),
    ...(lapse && alone?.said !== undefined && { lapsedSaid: alone.said }),
  };
  if (lapse) return { step: "lapsed", ...known };
  if (!call) return { step: taken ? "taken" : "committed", ...known };
  const isObeyed = call === (state === "approved" ? "ran" : "not-run");
  const seenAt = ran?.at ?? notRun?.at ?? closedAt;
  return { step: isObeyed ? "confirmed" : "contradicted", ...known, confirmedAt: seenAt };
}

function seenOf({ ran, notRun, input, updatedInput }: Answered): Receipt["call"] {
  if (!ran) return notRun && "not-run";
  const approved = (updatedInput ?? input)?.hash;
  const on = ran.inputHash ?? (updatedInput ? undefined : ran.startedOn);
  const isOther = on !== undefined && approved !== undefined && on !== approved;
  return isOther ? "ran-other-input" : "ran";
}

const OTHERS_MAX = 8;

export const withOther = (
  others: readonly OtherAnswer[] | undefined,
  other: OtherAnswer,
): readonly OtherAnswer[] => [...(others ?? []).slice(1 - OTHERS_MAX), other];
