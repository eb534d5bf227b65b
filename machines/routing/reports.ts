// Reports
// Handles what the session's own requests, calls and approvals report to the session.
//
//   Owns:          updating the books when a machine's state changes; passing an answer on to its call; passing a denial on to
//                  the other calls that it denies.
//   Does not own:  when a call or an approval closes (tool-call, approval).
//
// I-12. A denial and all denials that it causes are in one turn and one commit, because they follow from one message.
// I-14. Only the approval's machine decides which answer counts.

import { approvals, type CallBook, calls, change, head, setHead } from "../books.ts";
import { cascade } from "../cascade.ts";
import { defined } from "../defined.ts";
import { advance, unclaim } from "../matching/correlation.ts";
import type { Report } from "../effects.ts";
import type { CallId } from "../ids.ts";
import type { Denial } from "../facts/call-facts.ts";
import { closeCall, reopenCall } from "./agents.ts";
import { bindDenied } from "./approvals/binding.ts";
import { loseCalls } from "./closing.ts";
import { doubtAgain } from "./doubts.ts";
import { isModels } from "../evidence/answerer.ts";
import { isByRule } from "../rules/rule.ts";
import { settleApproval } from "./approvals/approvals.ts";
import { fallen, remember } from "./outcomes.ts";
import { hold, type Scene, tellCall, withdraw } from "./scene.ts";
import { requestClosed } from "./requests.ts";

export function reported(scene: Scene, report: Report): void {
  switch (report.type) {
    case "call.closed":
      return callClosed(scene, report);
    case "call.deferred":
      return deferral(scene, report.callId, true);
    case "call.resumed":
      deferral(scene, report.callId, false);
      return started(scene, report.callId);
    case "approval.closed":
      return approvalClosed(scene, report);
    case "request.closed":
      requestClosed(scene, report.requestId);
      if (report.state === "timeout") loseCalls(scene, report.requestId);
      return;
  }
}

type CallClosed = Extract<Report, { type: "call.closed" }>;

const OUTCOMES = { completed: "approved", failed: "approved", denied: "denied" } as const;

/** Which answer a call's end shows, if nobody reported the answer. A call that ran and was then stopped had been allowed. */
function outcomeOf({ state, denial, ran }: CallClosed): "approved" | "denied" | "unknown" {
  if (state === "missing-post") return ran ? "approved" : "unknown";
  return denial?.cause === "inferred" ? "unknown" : OUTCOMES[state];
}

function callClosed(scene: Scene, report: CallClosed): void {
  const { records, digest, policy, at } = scene;
  const id = report.callId;
  const call = calls.get(records, id);
  if (!call) return;
  const outcome = outcomeOf(report);
  if (call.stage !== "closed") {
    if (call.deferred) deferral(scene, id, false);
    advance(records, digest, id, { ...call, deferred: false }, "closed");
    closeCall(scene, call.agentId, id);
    setHead(records, { openCalls: head(records).openCalls - 1 });
    withdraw(scene, call.approvalId, outcome);
  } else if (call.approvalId !== undefined && approvals.get(records, call.approvalId)?.withdrawn)
    withdraw(scene, call.approvalId, outcome);
  if (report.state !== "denied" || !report.denial) return;
  const { approvalId, interrupt } = report.denial;
  if (report.denial.cause !== "inferred") change(calls, records, id, { denied: true });
  if (interrupt) remember(scene, call, id);
  // A denial by an approver follows the cascade policy with which the approval was shown (`onDeny`), even if another policy is
  // in force by now. So it denies the calls that the approver was told of.
  const shown = approvalId === undefined ? undefined : approvals.get(records, approvalId)?.onDeny;
  for (const [other, fall] of cascade(records, shown ?? policy.cascade, id, call, report.denial))
    tellCall(scene, other, fallen(fall, at));
}

function deferral(scene: Scene, id: CallId, deferred: boolean): void {
  const { records, digest } = scene;
  const call = calls.get(records, id);
  if (!call || call.deferred === deferred) return;
  if (deferred && call.stage === "closed") reopen(scene, id, call);
  const moved =
    deferred && call.stage !== "announced" ? advance(records, digest, id, call, "announced") : call;
  calls.set(records, id, { ...moved, deferred });
  hold(scene, call.requestId, "deferred", deferred ? 1 : -1);
}

/** Records that a call runs. A call that is in the queue `started` already keeps its place there. */
function started({ records, digest }: Scene, id: CallId): void {
  const call = calls.get(records, id);
  if (call?.stage === "announced") advance(records, digest, id, call, "started");
}

function reopen(scene: Scene, id: CallId, call: CallBook): void {
  const { records, digest } = scene;
  setHead(records, { openCalls: head(records).openCalls + 1 });
  reopenCall(scene, call.agentId, id);
  if (!call.asked) unclaim(records, digest, id, call);
}

type ApprovalClosed = Extract<Report, { type: "approval.closed" }>;

function approvalClosed(scene: Scene, report: ApprovalClosed): void {
  const { at } = scene;
  const { state, by, inputHash } = report;
  const denied = denies(report) ? { denial: denialOf(report) } : undefined;
  const answered = { by, ...defined({ inputHash }), counted: true } as const;
  const fate = denied ? { denied } : state === "denied" ? {} : { answered: { state, ...answered } };
  const callId = settleApproval(scene, report.approvalId, fate);
  if (callId === undefined && denied) bindDenied(scene, report.approvalId);
  const call = callId === undefined ? undefined : calls.get(scene.records, callId);
  if (callId === undefined || call?.approvalId !== report.approvalId) return;
  switch (state) {
    case "approved":
      calls.set(scene.records, callId, { ...call, allowed: true });
      doubtAgain(scene, callId);
      return tellCall(scene, callId, { type: "approved", at, by, ...defined({ inputHash }) });
    case "denied":
      return tellCall(scene, callId, { type: "disapproved", at, by, denial: denialOf(report) });
    case "expired":
      return tellCall(scene, callId, { type: "lapsed", at, ...(denied && { denial: denied.denial }) });
    case "withdrawn":
      return tellCall(scene, callId, { type: "withdrawn", at, by });
  }
}

const denies = ({ state, onDeadline }: ApprovalClosed): boolean =>
  state === "denied" || (state === "expired" && onDeadline === "deny");

const observedCause = (by: string): Denial["cause"] =>
  isModels(by) ? "model" : by === "hook" ? "hook" : "direct";

const causeOf = (by: string): Denial["cause"] => (isByRule(by) ? "rule" : "direct");

function denialOf(report: ApprovalClosed): Denial {
  const { by, message, interrupt, approvalId } = report;
  const cause = report.state === "expired" ? "expired" : report.observed ? observedCause(by) : causeOf(by);
  return { cause, by, approvalId, ...defined({ message, interrupt }), predicted: false };
}
