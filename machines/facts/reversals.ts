// Reversals
// Decides which evidence changes the end of a closed call.
//
//   Owns:          which later report replaces the report that closed a call.
//   Does not own:  the call's state after a replaced report (tool-call), reading the reports (routing/outcomes).
//
// C2. If the client stopped a call while it ran, telemetry reports a failure and the client itself reports the stop. The call
//       ends as the client reports it, whichever report comes first. The reported failure still shows that the call ran.
// C4. The client's report that a result was lost replaces a denial that is only inferred or predicted.

import { type CallContext, type CallEvent, isTentative } from "./call-facts.ts";

export function isLost({ denial }: CallContext, event: CallEvent): boolean {
  if (event.type !== "missed") return false;
  // The denial was inferred because the call has no result. If this conclusion is taken back (`loss`, routing/doubts), the
  // result may have been lost, so its absence no longer shows a denial.
  if (denial?.cause === "inferred" && event.evidence === "loss") return true;
  return event.evidence === "result" && (isTentative(denial) || denial?.revisable === true);
}

/** True if the call was closed only because its request, agent or session ended, and no report or time limit closed the call. */
export const isOpenEnded = (missing: CallContext["missing"]): boolean =>
  missing?.cause !== "deferred" && missing?.evidence !== "result" && missing?.evidence !== "time-limit";

export const isInference = (event: CallEvent): boolean =>
  event.type === "denied" && event.denial.cause === "inferred";

/**
 * True for a denial that was reported. A denial that was only read from a text does not count if the client has reported that
 * the call has no result.
 */
export const isSeen = ({ missing }: CallContext, event: CallEvent): boolean =>
  event.type === "denied" && (event.byWords ? missing?.evidence !== "result" : !event.denial.predicted);

export const outdoes = (event: CallEvent): boolean =>
  (event.type === "denied" || event.type === "missed") && event.outdoes === true;

export const isOfStopped = ({ denial, missing }: CallContext, event: CallEvent): boolean =>
  event.type === "failed" &&
  event.stopped === true &&
  (denial ? denial.revisable === true : missing?.evidence === "result");

export function recast(event: CallEvent): Pick<Partial<CallContext>, "missing" | "deferredAt"> {
  if (event.type === "missed") return { missing: { cause: event.cause, evidence: event.evidence } };
  return event.type === "deferred"
    ? { missing: { cause: "deferred", evidence: "deferral" }, deferredAt: event.at }
    : {};
}
