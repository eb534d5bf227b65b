// Evidence
// Records what became of an answer: whether the requester got the answer, and what the call did afterwards.
//
//   Owns:          which facts of a call are reported to its approval, and which facts of an approval are reported to its call.
//   Does not own:  making receipts (evidence/receipt) and alarms (evidence/alarm) from these facts.
//
// EVIDENCE-1. An approval and its call learn the same facts from each other, whether the approval or the call's result comes
//     first.
// EVIDENCE-2. If a second result comes for a call, the call learns from it only facts that the first result did not show: the
//     input, or that a gate was to be asked about the call.
// EVIDENCE-3. If a call was started with another input than its approval is about, call and approval record that, whichever of
//     the two is reported first.

import { type ApprovalBook, approvals, type CallBook, calls } from "../../books.ts";
import { defined } from "../../defined.ts";
import type { CallEvent } from "../../facts/call-facts.ts";
import type { ApprovalId, CallId } from "../../ids.ts";
import type { ApprovalTaken, SourceInput, WaiterGone } from "../../inputs.ts";
import type { Alone } from "../../evidence/receipt.ts";
import { approvalOf, type Scene, tellApproval, tellCall, withdraw } from "../scene.ts";

/** Channels on which a waiting requester keeps a connection to the engine, so that the engine notices when the requester ends. */
const WAITS_HERE = /^gate(-|$)/;

export const isOfGate = (channels: readonly string[]): boolean =>
  channels.some((each) => WAITS_HERE.test(each));

type Shown = Pick<CallBook, "ran" | "gated">;

/** What a result adds to the book of its call. @param told the event that the call gets because of the result. */
export function resultShows(
  scene: Scene,
  id: CallId,
  call: CallBook,
  input: SourceInput & { readonly call: { readonly input?: { readonly hash: string } } },
  told: CallEvent["type"],
): Shown & Pick<CallBook, "notRun"> {
  if (told === "denied") return notRun(scene, call);
  if (told !== "finished" && told !== "failed") return {};
  const { at } = scene;
  const hash = input.call.input?.hash;
  const ran = call.ran === undefined || call.ran === "" ? (hash ?? "") : call.ran;
  const gated = call.gated ?? input.gated;
  const isFirst = call.ran === undefined;
  if (!isFirst && ran === call.ran && gated === call.gated) return {};
  if (!isFirst) tellCall(scene, id, { type: "amended", at, ran: ranOn(at, ran), ...defined({ gated }) });
  if (call.approvalId !== undefined && ran !== call.ran) tellRan(scene, call.approvalId, { ...call, ran });
  return { ran, ...defined({ gated }) };
}

const ranOn = (at: number, hash: string): { readonly at: number; readonly inputHash?: string } => ({
  at,
  ...(hash !== "" && { inputHash: hash }),
});

function otherStart({ records }: Scene, id: ApprovalId, { startedOn }: CallBook): string | undefined {
  const asked = approvals.get(records, id)?.hash;
  return startedOn !== undefined && asked !== undefined && startedOn !== asked ? startedOn : undefined;
}

function tellRan(scene: Scene, id: ApprovalId, call: CallBook): void {
  const { at } = scene;
  const { ran = "" } = call;
  const startedOn = otherStart(scene, id, call);
  tellApproval(scene, id, {
    type: "seen",
    at,
    ran: true,
    ...(ran !== "" && { inputHash: ran }),
    ...defined({ startedOn }),
  });
}

export function showStart(scene: Scene, callId: CallId): void {
  const { records, at } = scene;
  const call = calls.get(records, callId);
  const approvalId = call?.approvalId;
  if (!call || approvalId === undefined) return;
  const inputHash = otherStart(scene, approvalId, call);
  if (inputHash === undefined) return;
  tellCall(scene, callId, { type: "amended", at, startedOn: { approvalId, inputHash } });
  if (call.ran !== undefined) tellRan(scene, approvalId, call);
}

function notRun(scene: Scene, { approvalId, notRun: known }: CallBook): Pick<CallBook, "notRun"> {
  if (known) return {};
  if (approvalId !== undefined) tellApproval(scene, approvalId, { type: "seen", at: scene.at, ran: false });
  return { notRun: true };
}

export function showNotRun(scene: Scene, id: CallId): void {
  const call = calls.get(scene.records, id);
  if (call) calls.set(scene.records, id, { ...call, ...notRun(scene, call) });
}

export function showEarlier(scene: Scene, id: ApprovalId, callId: CallId, call: CallBook): void {
  showStart(scene, callId);
  if (call.ran !== undefined) tellRan(scene, id, call);
  if (call.notRun) tellApproval(scene, id, { type: "seen", at: scene.at, ran: false });
}

export function gateAsks(scene: Scene, channel: string, callId: CallId | undefined): void {
  if (isOfGate([channel]) && callId !== undefined)
    tellCall(scene, callId, { type: "amended", at: scene.at, gateAsked: true });
}

export function approvalTaken(scene: Scene, { approvalId, by }: ApprovalTaken): void {
  const id = approvalOf(scene, approvalId);
  if (id === undefined) scene.rejection = "no approval has this id";
  else tellApproval(scene, id, { type: "taken", at: scene.at, by });
}

/**
 * Ends an approval whose requester has disconnected, or records that nobody got the answer, unless another requester may still
 * wait.
 */
export function waiterGone(scene: Scene, { approvalId }: WaiterGone): void {
  const book = approvals.get(scene.records, approvalId);
  const { channels = [] } = book ?? {};
  if (!book || (channels.length > 1 && !channels.every((each) => WAITS_HERE.test(each)))) return;
  if (book.pending) withdraw(scene, approvalId, "unknown");
  else tellApproval(scene, approvalId, { type: "left", at: scene.at });
}

export function answeredAlone(scene: Scene, id: ApprovalId, { at, said }: Alone): void {
  const { records } = scene;
  const book = approvals.get(records, id);
  if (!book || book.pending) return;
  const { callId, alone = { at, said } } = book;
  if (callId === undefined) approvals.set(records, id, { ...book, alone });
  else tellCall(scene, callId, { type: "amended", at: scene.at, alone: { approvalId: id, at, said } });
}

export function hearEarlier(scene: Scene, id: ApprovalId, { alone, allowedBy }: ApprovalBook): void {
  if (alone) answeredAlone(scene, id, alone);
  if (allowedBy !== undefined) allowedElsewhere(scene, id, allowedBy);
}

/** Records that the call's own client allowed the call, if the client reports this after the approval has ended. */
export function allowedElsewhere(scene: Scene, id: ApprovalId, by: string): void {
  const book = approvals.get(scene.records, id);
  if (book && !book.pending && book.callId === undefined)
    return approvals.set(scene.records, id, { ...book, allowedBy: by });
  const call = book?.callId === undefined ? undefined : calls.get(scene.records, book.callId);
  if (book?.callId === undefined || book.pending || !call || call.allowed) return;
  if (call.approvalId === id && !call.denied)
    calls.set(scene.records, book.callId, { ...call, allowed: true });
  tellCall(scene, book.callId, { type: "amended", at: scene.at, allowedBy: by });
}
