// Binding
// A question and its call, brought together: at once where the call is known, else when it comes.
//
//   Owns:          what the call and the question are told of one another.
//   Does not own:  which call a question is about (matching), which question a call takes up (unbound).
//
// I-07. A question is bound to one call at most, once.
// C4.   A question that was denied before its call was seen denies the call when it comes.

import { approvals, type CallBook, calls } from "../books.ts";
import { claim } from "../correlation.ts";
import type { AgentId, ApprovalId, CallId } from "../ids.ts";
import type { CallRef } from "../inputs.ts";
import { takeWaiting } from "../unbound.ts";
import { type Scene, tellApproval, tellCall } from "./scene.ts";

export function bind(scene: Scene, id: ApprovalId, callId: CallId, inputHash: string | undefined): void {
  const { records, digest, at } = scene;
  const call = calls.get(records, callId);
  if (!call) return;
  claim(records, digest, callId, call);
  calls.set(records, callId, { ...call, asked: true, allowed: false, approvalId: id });
  tellCall(scene, callId, {
    type: "asked",
    at,
    approvalId: id,
    ...(inputHash !== undefined && { inputHash }),
  });
}

/** Gives a newly seen call the question that came before it. @returns true where that denied it. */
export function bindWaiting(scene: Scene, agentId: AgentId, callId: CallId, ref: CallRef): boolean {
  const { records, digest, at } = scene;
  const call = calls.get(records, callId);
  const id = call && takeWaiting(records, digest, agentId, ref, call.requestId);
  const book = id === undefined ? undefined : approvals.get(records, id);
  if (id === undefined || !book) return false;
  approvals.set(records, id, { ...book, callId });
  tellApproval(scene, id, { type: "bound", at, callId });
  bind(scene, id, callId, ref.input?.hash);
  const denial = book.denied?.denial;
  if (!denial) return false;
  if (denial.cause === "expired") tellCall(scene, callId, { type: "lapsed", at, denial });
  else tellCall(scene, callId, { type: "refused", at, by: denial.by ?? "elsewhere", denial });
  return true;
}

/** True for a call that was denied as it came, by the answer to its question. */
export function isDeniedOnArrival(scene: Scene, { approvalId }: CallBook): boolean {
  return approvalId !== undefined && approvals.get(scene.records, approvalId)?.denied !== undefined;
}
