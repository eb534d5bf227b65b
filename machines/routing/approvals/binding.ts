// Binding
// Links an approval with its call: when the approval is requested if the call was seen before, or else when the call is first
// seen.
//
//   Owns:          what the call and the approval report to each other; the audit row of an early denial.
//   Does not own:  which call an approval is about (matching), which approval a call gets (waiting-approvals).
//   Decided in:    docs/decisions/0056-answered-before-its-call.md.
//
// I-07. An approval is linked with at most one call, and this link never changes.
// C4. If an approval was denied before its call was seen, the call is denied as soon as it is seen.
// BINDING-1. If an approval was answered before its call was seen, approval and call get the same events as if the call had come
//     first.
// BINDING-2. If a call was matched by its input with an approval that had already ended, that approval may have been about
//     another call. So the next approval that fits is linked with the call, too, and counts.
// I-41. A denial that came before its call has an audit row of its own. The row says that the denial was applied, or that it was
//     never used.

import { type ApprovalBook, approvals, type CallBook, calls, change } from "../../books.ts";
import { defined } from "../../defined.ts";
import { callOfUse, claim } from "../../matching/correlation.ts";
import type { AgentId, ApprovalId, CallId, RequestId } from "../../ids.ts";
import type { CallRef } from "../../inputs.ts";
import { isTaken } from "../../matching/matching.ts";
import { findWaiting, namedWaiting, stopWaiting, takeWaiting } from "../../queues/waiting-approvals.ts";
import { isOver } from "../../queues/waiting-lines.ts";
import { doubtAgain } from "../doubts.ts";
import { hearEarlier, isOfGate, showEarlier } from "./evidence.ts";
import { settleKnown } from "./permits.ts";
import { isClosing, isOpen, type Scene, tellApproval, tellCall, withdraw } from "../scene.ts";

export function bind(scene: Scene, id: ApprovalId, callId: CallId, inputHash: string | undefined): void {
  const { records, digest, at } = scene;
  const call = calls.get(records, callId);
  if (!call) return;
  claim(records, digest, callId, call);
  const { askedOver: _, ...others } = call;
  calls.set(records, callId, { ...others, asked: true, allowed: false, approvalId: id });
  const { closes, isDemanded, channels = [] } = approvals.get(records, id) ?? {};
  tellCall(scene, callId, {
    type: "asked",
    at,
    approvalId: id,
    ...defined({ inputHash, closes, isDemanded }),
    byGate: isOfGate(channels),
  });
  showEarlier(scene, id, callId, call);
}

/** Links a new call with the approval that was requested before it was seen. @returns true if that approval denied the call. */
export function bindWaiting(scene: Scene, agentId: AgentId, callId: CallId, ref: CallRef): boolean {
  const { records, digest } = scene;
  const call = calls.get(records, callId);
  const id = call && takeWaiting(records, digest, agentId, ref, call.requestId);
  const isDenied = id !== undefined && unite(scene, id, callId);
  if (id !== undefined) markOver(scene, id, callId, ref);
  if (ref.toolUseId !== undefined) bindNamed(scene, callId, ref.toolUseId);
  return isDenied;
}

/** Marks a call whose approval had ended before call and approval were matched, unless the approval names the call. */
function markOver({ records }: Scene, id: ApprovalId, callId: CallId, { toolUseId }: CallRef): void {
  const book = approvals.get(records, id);
  const call = calls.get(records, callId);
  const isNamed = toolUseId !== undefined && book?.toolUseId === toolUseId;
  if (book && call && !isNamed && isOver(book)) calls.set(records, callId, { ...call, askedOver: true });
}

/**
 * Links an approval with a call whose start is reported after its end, and withdraws it, because nobody waits for its answer.
 * @param requestId the request that the report of the start belongs to.
 */
export function bindEnded(scene: Scene, callId: CallId, ref: CallRef, requestId?: RequestId): void {
  const { records, digest } = scene;
  const call = calls.get(records, callId);
  if (!call || call.asked) return;
  const id = takeWaiting(records, digest, call.agentId, ref, requestId ?? call.requestId);
  if (id === undefined) return;
  unite(scene, id, callId);
  withdraw(scene, id, "unknown");
}

export function asksAnother(
  { records, digest }: Scene,
  agentId: AgentId,
  ref: CallRef,
  requestId: RequestId | undefined,
): boolean {
  return requestId !== undefined && findWaiting(records, digest, agentId, ref, requestId) !== undefined;
}

export function bindNamed(scene: Scene, callId: CallId, toolUseId: string): void {
  for (const id of namedWaiting(scene.records, toolUseId)) bindLate(scene, id, callId);
}

export function bindDenied(scene: Scene, id: ApprovalId): void {
  const { toolUseId } = approvals.get(scene.records, id) ?? {};
  const callId = toolUseId === undefined ? undefined : callOfUse(scene.records, toolUseId);
  if (callId !== undefined) bindLate(scene, id, callId);
}

/**
 * Links a waiting approval with the call that it names. If the call has another approval that may not be replaced
 * (`isTaken`), this happens only if the waiting approval was denied; the other one is then withdrawn.
 */
function bindLate(scene: Scene, id: ApprovalId, callId: CallId): void {
  const { records, digest } = scene;
  const call = calls.get(records, callId);
  const book = approvals.get(records, id);
  if (!call || !book || (!book.denied && isTaken(call))) return;
  stopWaiting(records, digest, id, book);
  const isLate = !isOpen(call) || isClosing(scene, callId);
  if (isLate && book.denied)
    return recordDenial(scene, "denial-unused", id, book, "its call was closed already");
  withdraw(scene, call.approvalId, book.denied ? "denied" : "unknown");
  unite(scene, id, callId);
  if (isLate) withdraw(scene, id, "unknown");
}

function unite(scene: Scene, id: ApprovalId, callId: CallId): boolean {
  const { records, at } = scene;
  const book = approvals.get(records, id);
  if (!book) return false;
  approvals.set(records, id, { ...book, callId });
  tellApproval(scene, id, { type: "bound", at, callId });
  bind(scene, id, callId, book.hash);
  mirror(scene, callId, book.answered);
  hearEarlier(scene, id, book);
  settleKnown(scene, callId);
  doubtAgain(scene, callId);
  const denial = book.denied?.denial;
  if (!denial) return false;
  const call = calls.get(records, callId);
  const isKnown = call !== undefined && call.result !== "";
  // C2. A call that was closed without a result counts as denied once a denial is matched to it.
  if (call && !isOpen(call)) tellCall(scene, callId, { type: "denied", at, denial });
  if (denial.cause === "expired") tellCall(scene, callId, { type: "lapsed", at, denial });
  else tellCall(scene, callId, { type: "disapproved", at, by: denial.by ?? "elsewhere", denial });
  if (isKnown) recordDenial(scene, "denial-unused", id, book, "its call was closed already", callId);
  else recordDenial(scene, "denial-applied", id, book, "its call came later", callId);
  return true;
}

/** Reports to a call the answer that its approval got before call and approval were linked. */
function mirror(scene: Scene, callId: CallId, answered: ApprovalBook["answered"]): void {
  if (!answered) return;
  const { at } = scene;
  const { state, by, inputHash } = answered;
  change(calls, scene.records, callId, { allowed: state === "approved" });
  if (state === "expired") tellCall(scene, callId, { type: "lapsed", at });
  else tellCall(scene, callId, { type: state, at, by, ...defined({ inputHash }) });
}

export function recordDenial(
  scene: Scene,
  kind: "denial-applied" | "denial-unused",
  approvalId: ApprovalId,
  { tool, hash, denied }: ApprovalBook,
  reason: string,
  callId?: CallId,
): void {
  const { cause, by = "elsewhere", message } = denied?.denial ?? {};
  scene.steps.push({
    do: "audit",
    audit: {
      kind,
      approvalId,
      by,
      decision: cause === "expired" ? "lapsed" : "deny",
      reason,
      tool,
      at: scene.at,
      ...defined({ callId, inputHash: hash, message }),
    },
  });
}

/** True if the call was denied as soon as it was seen, because its approval had been denied. */
export function isDeniedOnArrival(scene: Scene, { approvalId }: CallBook): boolean {
  return approvalId !== undefined && approvals.get(scene.records, approvalId)?.denied !== undefined;
}
