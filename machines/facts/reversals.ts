// Reversals
// Decides which evidence changes the end of a closed call.
//
//   Owns:          which report replaces the report that closed the call.
//   Does not own:  the state that follows (tool-call), reading the reports (routing/outcomes).
//
// C2.   For a call that was stopped while it ran, telemetry reports a failure and the client reports the stop. The client's
//       report replaces the failure, whichever comes first. The failure still shows that the call ran.
// C4.   The client's report that a result was lost replaces a denial that is only inferred or predicted.

import { type CallContext, type CallEvent, isTentative } from "./call-facts.ts";

/** True if the report that a result is missing replaces the call's denial. */
export function isLost({ denial }: CallContext, event: CallEvent): boolean {
  if (event.type !== "missed") return false;
  // If messages were lost, the absence of a message proves nothing about a denial.
  if (denial?.cause === "inferred" && event.evidence === "loss") return true;
  return event.evidence === "result" && (isTentative(denial) || denial?.revisable === true);
}

/** True if the call was closed because its work was over, without a report on the call itself. */
export const isOpenEnded = (missing: CallContext["missing"]): boolean =>
  missing?.cause !== "deferred" && missing?.evidence !== "result" && missing?.evidence !== "time-limit";

export const isInference = (event: CallEvent): boolean =>
  event.type === "denied" && event.denial.cause === "inferred";

/** True for a reported denial. A denial that was only read from a text has no more weight than a missing result. */
export const isSeen = ({ missing }: CallContext, event: CallEvent): boolean =>
  event.type === "denied" && (event.byWords ? missing?.evidence !== "result" : !event.denial.predicted);

/** True for a report that replaces a failure without text. */
export const outdoes = (event: CallEvent): boolean =>
  (event.type === "denied" || event.type === "missed") && event.outdoes === true;

/** True for a failure without text, of a call that the client reported as stopped. */
export const isOfStopped = ({ denial, missing }: CallContext, event: CallEvent): boolean =>
  event.type === "failed" &&
  event.stopped === true &&
  (denial ? denial.revisable === true : missing?.evidence === "result");

/** The data from a better report on why the call has no result. */
export function recast(event: CallEvent): Pick<Partial<CallContext>, "missing" | "deferredAt"> {
  if (event.type === "missed") return { missing: { cause: event.cause, evidence: event.evidence } };
  return event.type === "deferred"
    ? { missing: { cause: "deferred", evidence: "deferral" }, deferredAt: event.at }
    : {};
}
