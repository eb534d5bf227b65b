// Permits
// Who allowed or refused a call, as its client tells it.
//
//   Owns:          passing the word on to the call, and to what is asked about it; keeping one that comes first.
//   Does not own:  whether a person is behind it (evidence/permission), what a result says (outcomes).
//
// PERMITS-1. A word that names a call counts whenever it is heard: before the call, before the question, or after them.
// PERMITS-2. What a client tells as it happens settles every question about the call, also one that is heard later. A
//     question that names no call is settled later only by a person's word: what a rule allowed is never asked.
// I-37. At most `orphansMax` words wait for their call, the newest.

import { approvals, type CallBook, calls, head, permits, setHead } from "../../books.ts";
import { defined } from "../../defined.ts";
import { isAtTerminal } from "../../evidence/dialog.ts";
import { isPersons, kept, type Permission } from "../../evidence/permission.ts";
import { EMPTY, oldest, push, remove } from "../../queues/deque.ts";
import type { ApprovalId, CallId } from "../../ids.ts";
import type { ToolPermission } from "../../inputs.ts";
import { showNotRun } from "./evidence.ts";
import { type Scene, tellApproval, tellCall } from "../scene.ts";

const LINE = "permits";

/** Keeps a word about a call that nobody has told of yet. */
export function keepPermit(scene: Scene, toolUseId: string, input: ToolPermission): void {
  const { records, policy } = scene;
  const known = permits.get(records, toolUseId);
  const word = kept(known, input);
  // PERMITS-1: as a call that is there would have heard both.
  permits.set(records, toolUseId, known?.settles ? { ...word, settles: true } : word);
  if (known) return;
  let line = push(records, LINE, head(records).permits ?? EMPTY, toolUseId);
  const first = oldest(line);
  if (line.size > policy.orphansMax && first !== undefined) {
    line = remove(records, LINE, line, first);
    permits.delete(records, first);
  }
  setHead(records, { permits: line });
}

/** Tells a call the word that came before it. */
export function takePermit(scene: Scene, id: CallId, toolUseId: string | undefined): void {
  const { records } = scene;
  const input = toolUseId === undefined ? undefined : permits.get(records, toolUseId);
  if (toolUseId === undefined || !input) return;
  permits.delete(records, toolUseId);
  setHead(records, { permits: remove(records, LINE, head(records).permits ?? EMPTY, toolUseId) });
  permit(scene, id, input);
}

/** Tells a call who allowed or refused it. */
export function permit(scene: Scene, id: CallId, input: ToolPermission): void {
  const { decision, source, reason, bare, settles } = input;
  const permission: Permission = { decision, source, ...defined({ reason, bare }) };
  tellCall(scene, id, { type: "amended", at: scene.at, permission });
  const call = calls.get(scene.records, id);
  if (settles && call) {
    calls.set(scene.records, id, { ...call, settled: permission });
    if (call.approvalId !== undefined) settle(scene, call.approvalId, permission);
  }
  if (decision === "reject") showNotRun(scene, id);
}

/** Settles a question about a call that was bound just now, where the call's client has told the answer before. */
export function settleKnown(scene: Scene, callId: CallId): void {
  const { approvalId, settled }: Partial<CallBook> = calls.get(scene.records, callId) ?? {};
  const book = approvalId === undefined ? undefined : approvals.get(scene.records, approvalId);
  if (approvalId === undefined || !settled || !book) return;
  if (book.toolUseId !== undefined || isPersons(settled)) settle(scene, approvalId, settled);
}

/** What was asked here, and not answered here, was answered somewhere else (APPROVAL-2). */
function settle(scene: Scene, id: ApprovalId, { decision, source, reason }: Permission): void {
  const book = approvals.get(scene.records, id);
  if (!book?.pending && !book?.withdrawn) return;
  tellApproval(scene, id, {
    type: "answered",
    at: scene.at,
    decision: decision === "accept" ? "approve" : "deny",
    by: answererOf({ source, ...defined({ reason }) }, book.channels),
  });
}

/** DIALOG-1: what the client calls a user is a program's callback where it asks by one. */
function answererOf(permission: Pick<Permission, "source" | "reason">, channels: readonly string[]): string {
  if (isPersons(permission) && isAtTerminal(channels)) return "terminal";
  return permission.source === "hook" ? "hook" : "client";
}
