// Reversals
// What takes the end of a closed call back.
//
//   Owns:          which word is better than the one that closed it.
//   Does not own:  which state follows (tool-call), what was said before (routing/outcomes).
//
// C2.   Telemetry calls a call failed that was stopped while it ran: the client's own word for that is better,
//       whichever is told first. It shows all the same that the call ran.
// C4.   A denial that is inferred or foreseen gives way to the client's word that the result was lost.

import { type CallContext, type CallEvent, isTentative } from "./call-facts.ts";

/** A denial that the word that a result is missing takes back. */
export function isLost({ denial }: CallContext, event: CallEvent): boolean {
  if (event.type !== "missed") return false;
  // Messages were lost, so nothing follows from what is missing.
  if (denial?.cause === "inferred" && event.evidence === "loss") return true;
  return event.evidence === "result" && (isTentative(denial) || denial?.revisable === true);
}

/** Closed because something was over, and not by a word about the call itself. */
export const isOpenEnded = (missing: CallContext["missing"]): boolean =>
  missing?.cause !== "deferred" && missing?.evidence !== "result" && missing?.evidence !== "time-limit";

export const isInference = (event: CallEvent): boolean =>
  event.type === "denied" && event.denial.cause === "inferred";

/** True for a denial that somebody told of. A denial that is only read from words counts no more than a missing result. */
export const isSeen = ({ missing }: CallContext, event: CallEvent): boolean =>
  event.type === "denied" && (event.byWords ? missing?.evidence !== "result" : !event.denial.predicted);

/** Better than a failure that is told without its words. */
export const outdoes = (event: CallEvent): boolean =>
  (event.type === "denied" || event.type === "missed") && event.outdoes === true;

/** A failure without its words, of a call that the client says was stopped. */
export const isOfStopped = ({ denial, missing }: CallContext, event: CallEvent): boolean =>
  event.type === "failed" &&
  event.stopped === true &&
  (denial ? denial.revisable === true : missing?.evidence === "result");

/** A better word for why there is no result. */
export function recast(event: CallEvent): Pick<Partial<CallContext>, "missing" | "deferredAt"> {
  if (event.type === "missed") return { missing: { cause: event.cause, evidence: event.evidence } };
  return event.type === "deferred"
    ? { missing: { cause: "deferred", evidence: "deferral" }, deferredAt: event.at }
    : {};
}
