// Receipt
// What became of an answer to an approval: stored, received by the requester, confirmed by what the agent did, or lapsed.
//
//   Owns:          which facts an approval keeps about its answer, and the receipt that follows from these facts.
//   Does not own:  where the facts come from (routing/evidence), whether a call raises an alarm (alarm).
//
// RECEIPT-1. A receipt depends only on the facts, in whatever order they came. Each fact is stored once.
// RECEIPT-2. An answer has lapsed if its requester had decided by itself or was gone before, and nobody reports that the
//     requester received the answer. A lapsed answer is never confirmed: the agent did not act on it.
// RECEIPT-3. If the requester's acknowledgement is lost, the answer stays `committed`: nothing more is known about it.
// RECEIPT-4. An approving answer is confirmed by a result of its call with the approved input, or without an input. A result
//     without input does not confirm it if the call was started with another input than the approval showed. A denial is
//     confirmed if the client reports that the call did not run. Other evidence contradicts the answer.

/** An answer that came too late: another answer had counted already. */
export interface OtherAnswer {
  readonly at: number;
  readonly by: string;
  readonly via?: string;
  readonly decision: "approve" | "deny";
}

/** What the requester decided by itself, without this engine's answer, and when. */
export interface Alone {
  readonly at: number;
  readonly said: "ask" | "deny";
}

/** What is known about the delivery and the effect of an answer. */
export interface ReceiptFacts {
  /** The place of the answer, as its sender reports it: `panel`, `cli`, `http`, `nats`, … */
  readonly via?: string;
  /** Present if the requester reported that it got the answer and passed it on. */
  readonly taken?: { readonly at: number; readonly by: string };
  readonly alone?: { readonly at: number; readonly said?: "ask" | "deny" };
  /** Present if the requester was gone, so that nobody got the answer. */
  readonly left?: { readonly at: number };
  /** Present if the call ran: the input in its result, if shown; the input it was started with, if that is another input. */
  readonly ran?: { readonly at: number; readonly inputHash?: string; readonly startedOn?: string };
  /** Present if the client reports that the call did not run. */
  readonly notRun?: { readonly at: number };
  /** The newest answers that came too late. */
  readonly others?: readonly OtherAnswer[];
}

export interface Receipt {
  readonly step: "committed" | "taken" | "confirmed" | "lapsed" | "contradicted";
  readonly committedAt: number;
  readonly takenAt?: number;
  readonly takenBy?: string;
  readonly confirmedAt?: number;
  /** What the agent did with the call. */
  readonly call?: "ran" | "ran-other-input" | "not-run";
  /** When the answer lapsed, and what the requester had answered instead. */
  readonly lapsedAt?: number;
  readonly lapsedSaid?: "ask" | "deny";
}

/** The facts of an approval with an answer. */
export interface Answered extends ReceiptFacts {
  readonly closedAt?: number;
  /** True if the source itself answered, so that nobody answered in this engine. */
  readonly observed?: true;
  readonly input?: { readonly hash: string };
  readonly updatedInput?: { readonly hash: string };
}

/** @returns undefined if nobody answered the approval in this engine. */
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
  return isObeyed
    ? { step: "confirmed", ...known, confirmedAt: seenAt }
    : { step: "contradicted", ...known, confirmedAt: seenAt };
}

/** A result takes precedence over a report that the call did not run. */
function seenOf({ ran, notRun, input, updatedInput }: Answered): Receipt["call"] {
  if (!ran) return notRun && "not-run";
  const approved = (updatedInput ?? input)?.hash;
  const on = ran.inputHash ?? (updatedInput ? undefined : ran.startedOn);
  const isOther = on !== undefined && approved !== undefined && on !== approved;
  return isOther ? "ran-other-input" : "ran";
}

const OTHERS_MAX = 8;

/** The newest answers that came too late, oldest first. */
export const withOther = (
  others: readonly OtherAnswer[] | undefined,
  other: OtherAnswer,
): readonly OtherAnswer[] => [...(others ?? []).slice(1 - OTHERS_MAX), other];
