// Alarm
// Decides whether a call ran that should not have run: against the answer to its approval, or without its gate being asked.
//
//   Owns:          the kinds of alarms, and the facts from which each kind follows.
//   Does not own:  the facts of a call (call-facts), reporting an alarm (runtime/rows/changes).
//
// ALARM-1. An alarm depends only on the facts of its call, in whatever order they came. Later evidence that contradicts an alarm
//     removes the alarm.
// ALARM-2. Only a call that ran raises an alarm. If a person allowed the call at the client's terminal, no alarm says that it ran
//     against an answer.
// ALARM-3. If several alarms fit a call, only the gravest is reported. From the gravest on, the alarms are: a denial that was not
//     obeyed, a run that nothing allowed, a gate that was never asked.
// ALARM-4. If a gate left the decision on a call to the client's own dialog, the gate forbade nothing. So the call's run raises
//     no alarm that it contradicts the approval of this gate.
// ALARM-5. If a call's result shows no input, the call counts as run with the input that it was started with. If its approval
//     was for another input, the approval does not allow this run.
// ALARM-6. If rules demand several approvers, or certain approvers, a person at the client's terminal cannot approve the call
//     instead. A call that ran without the demanded approval raises an alarm, even if the client asked somebody.

import type { CallContext } from "../facts/call-facts.ts";
import { isPersonsYes, hasAskedAPerson } from "./permission.ts";

export const ALARMS = ["executedAfterDenial", "unapprovedExecution", "gateFailedOpen"] as const;
export type AlarmKind = (typeof ALARMS)[number];

export interface Alarm {
  readonly kind: AlarmKind;
  /** When the evidence arrived that the call ran. */
  readonly at: number;
  /**
   * Why the run is an alarm. `denied`: the call was denied. `closed`: the call's gate had denied the call because nobody
   * answered. `pending`: nobody had answered. `other-input`: another input was approved. `never-asked`: no gate was asked about
   * the call. `unmet`: the demanded approvers did not approve it.
   */
  readonly because: "denied" | "closed" | "pending" | "other-input" | "never-asked" | "unmet";
  readonly approvalId?: string;
}

export interface Judged {
  readonly execution: string;
  readonly approval: string;
  readonly context: CallContext;
}

export function alarmOf(call: Judged): Alarm | undefined {
  const { context } = call;
  const at = context.ran?.at;
  if (at === undefined) return undefined;
  const found = isAllowedElsewhere(context) && !isUnmet(call) ? undefined : disobeyed(call);
  const approvalId = found && context.approval?.id;
  if (found) return { ...found, at, ...(approvalId !== undefined && { approvalId }) };
  return neverAsked(context) ? { kind: "gateFailedOpen", at, because: "never-asked" } : undefined;
}

const isAllowedElsewhere = ({ permission, allowedBy }: CallContext): boolean =>
  allowedBy !== undefined || (permission !== undefined && isPersonsYes(permission));

/**
 * ALARM-6. True if the demanded approvers did not approve the call. They answer in this engine, and only an approval that was
 * answered in this engine has the hash of the approved input.
 */
const isUnmet = ({ approval: state, context: { approval } }: Judged): boolean =>
  approval?.isDemanded === true && (state !== "approved" || approval.approvedHash === undefined);

type Found = Pick<Alarm, "kind" | "because">;

function disobeyed(call: Judged): Found | undefined {
  const { execution, approval: state, context } = call;
  const { denial, approval, ran } = context;
  const wentOn = approval?.alone?.said === "ask";
  if (execution === "denied" && denial) {
    if (denial.approvalId !== undefined && wentOn) return undefined;
    return denial.cause === "expired"
      ? { kind: "unapprovedExecution", because: "closed" }
      : { kind: "executedAfterDenial", because: "denied" };
  }
  if (isUnmet(call)) return { kind: "unapprovedExecution", because: "unmet" };
  if (!approval || wentOn) return undefined;
  if (state === "approved") {
    if (approval.alone?.said === "deny") return { kind: "unapprovedExecution", because: "closed" };
    const { approvedHash, inputHash, startedOn } = approval;
    // If the approver edited the input, the call's start still reports the unedited input, so the start does not show which input
    // ran.
    const on = ran?.inputHash ?? (approvedHash === inputHash ? startedOn : undefined);
    const isOther = on !== undefined && approvedHash !== undefined && on !== approvedHash;
    return isOther ? { kind: "unapprovedExecution", because: "other-input" } : undefined;
  }
  if (approval.closes !== "deny") return undefined;
  if (state === "expired") return { kind: "unapprovedExecution", because: "closed" };
  return state === "pending" || state === "withdrawn"
    ? { kind: "unapprovedExecution", because: "pending" }
    : undefined;
}

function neverAsked({ gated, gateAsked, permission }: CallContext): boolean {
  if (gated === undefined || gateAsked) return false;
  return gated === "all" || (permission !== undefined && hasAskedAPerson(permission));
}
