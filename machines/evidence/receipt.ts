// Receipt
// How far an answer has got: committed, taken by the asker, confirmed by what the agent did; or lapsed.
//
//   Owns:          which facts an approval keeps about its answer, and what follows from them.
//   Does not own:  where the facts come from (routing/evidence), whether a call is an alarm (alarm).
//
// RECEIPT-1. A receipt follows from the facts alone, in whatever order they came: each fact is kept once.
// RECEIPT-2. An answer lapsed if its asker had answered by itself, or was gone, and nobody says that it took it. A
//     lapsed answer is never confirmed: if the call ran, this answer was not why.
// RECEIPT-3. A lost acknowledgement is no evidence: the answer is then committed, and no more is known.
// RECEIPT-4. An approval is confirmed by a result of its call on the approved input, or on one that the result does not
//     show, if the call was not started on another than was asked about; a denial by the client's word that the call
//     did not run. What says otherwise contradicts the answer.

/** Somebody answered too late: another answer counted. */
export interface OtherAnswer {
  readonly at: number;
  readonly by: string;
  readonly via?: string;
  readonly decision: "approve" | "deny";
}

/** The asker had answered by itself: when, and what. */
export interface Alone {
  readonly at: number;
  readonly said: "ask" | "deny";
}

/** What is known of how far an answer has got. */
export interface ReceiptFacts {
  /** Where the answer was given: `panel`, `cli`, `http`, `nats`, … As its sender says. */
  readonly via?: string;
  /** The asker said that it has the answer, and passed it on. */
  readonly taken?: { readonly at: number; readonly by: string };
  /** The asker had answered by itself. */
  readonly alone?: { readonly at: number; readonly said?: "ask" | "deny" };
  /** Set if nobody waited for the answer any more. */
  readonly left?: { readonly at: number };
  /** The call ran: on which input, where its result shows that; on which it was started, where that is another. */
  readonly ran?: { readonly at: number; readonly inputHash?: string; readonly startedOn?: string };
  /** The client says that the call did not run. */
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
  /** Since when nobody waited for the answer, and what the asker had said instead. */
  readonly lapsedAt?: number;
  readonly lapsedSaid?: "ask" | "deny";
}

/** An answer that counted, as its approval has it. */
export interface Answered extends ReceiptFacts {
  readonly closedAt?: number;
  /** The source's own answer: nobody here gave one. */
  readonly observed?: true;
  readonly input?: { readonly hash: string };
  readonly updatedInput?: { readonly hash: string };
}

/** @returns undefined where no answer was given here. */
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

/** A result counts for more than a word that there was none. */
function seenOf({ ran, notRun, input, updatedInput }: Answered): Receipt["call"] {
  if (!ran) return notRun && "not-run";
  const approved = (updatedInput ?? input)?.hash;
  const on = ran.inputHash ?? (updatedInput ? undefined : ran.startedOn);
  const isOther = on !== undefined && approved !== undefined && on !== approved;
  return isOther ? "ran-other-input" : "ran";
}

const OTHERS_MAX = 8;

/** The newest answers that did not count, oldest first. */
export const withOther = (
  others: readonly OtherAnswer[] | undefined,
  other: OtherAnswer,
): readonly OtherAnswer[] => [...(others ?? []).slice(1 - OTHERS_MAX), other];
