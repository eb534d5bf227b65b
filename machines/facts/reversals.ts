// Reversals
// Decides which evidence takes the end of a closed call back.
//
//   Owns:          which report is better than the one that closed the call.
//   Does not own:  which state follows (tool-call), the earlier reports (routing/outcomes).
//
// C2.   Telemetry reports a failure for a call that was stopped while it ran. The client's own report of the stop is better,
//       whichever comes first. The failure still shows that the call ran.
// C4.   The client's report that the result was lost replaces a denial that is inferred or predicted.

import { type CallContext, type CallEvent, isTentative } from "./call-facts.ts";

/** True for a denial that is taken back by the report that a result is missing. */
export function isLost({ denial }: CallContext, event: CallEvent): boolean {
  if (event.type !== "missed") return false;
  // If messages were lost, a missing message proves nothing.
  if (denial?.cause === "inferred" && event.evidence === "loss") return true;
  return event.evidence === "result" && (isTentative(denial) || denial?.revisable === true);
}

/** True if the call was closed because something else was over, not by a report on the call itself. */
export const isOpenEnded = (missing: CallContext["missing"]): boolean =>
  missing?.cause !== "deferred" && missing?.evidence !== "result" && missing?.evidence !== "time-limit";

export const isInference = (event: CallEvent): boolean =>
  event.type === "denied" && event.denial.cause === "inferred";

/** True for a reported denial. A denial that was only read from words counts no more than a missing result. */
export const isSeen = ({ missing }: CallContext, event: CallEvent): boolean =>
  event.type === "denied" && (event.byWords ? missing?.evidence !== "result" : !event.denial.predicted);

/** True for a report that is better than a failure without its text. */
export const outdoes = (event: CallEvent): boolean =>
  (event.type === "denied" || event.type === "missed") && event.outdoes === true;

/** True for a failure without its text, of a call that was stopped by the client's own report. */
export const isOfStopped = ({ denial, missing }: CallContext, event: CallEvent): boolean =>
  event.type === "failed" &&
  event.stopped === true &&
  (denial ? denial.revisable === true : missing?.evidence === "result");

/** The facts from a better report on why there is no result. */
export function recast(event: CallEvent): Pick<Partial<CallContext>, "missing" | "deferredAt"> {
  if (event.type === "missed") return { missing: { cause: event.cause, evidence: event.evidence } };
  return event.type === "deferred"
    ? { missing: { cause: "deferred", evidence: "deferral" }, deferredAt: event.at }
    : {};
}
