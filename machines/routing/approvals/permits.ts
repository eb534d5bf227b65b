// Permits
// Records a client's reports on who allowed or denied a call. One such report is called a permission.
//
//   Owns:          passing a permission to the call and its approvals; storing a permission that comes before its call.
//   Does not own:  whether a person is behind the permission (evidence/permission), reading a result (outcomes).
//
// PERMITS-1. A permission (a client's report on who allowed or denied a call) that names its call counts whether it is reported
//     before the call, before the call's approval, or after call and approval.
// PERMITS-2. If a client reports a permission at the moment of the decision (`settles`), the permission answers every approval of
//     the call, also a later one. But a later approval that names no call is answered only by a person's permission: for a call
//     that a rule of the client allowed, the client requests no approval, so that approval is about another call.
// I-37. At most `orphansMax` permissions, the newest, are stored until their call is seen.

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

export function keepPermit(scene: Scene, toolUseId: string, input: ToolPermission): void {
  const { records, policy } = scene;
  const known = permits.get(records, toolUseId);
  const word = kept(known, input);
  // PERMITS-2: if the call's earlier permission settles approvals, the new permission does, too.
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

export function takePermit(scene: Scene, id: CallId, toolUseId: string | undefined): void {
  const { records } = scene;
  const input = toolUseId === undefined ? undefined : permits.get(records, toolUseId);
  if (toolUseId === undefined || !input) return;
  permits.delete(records, toolUseId);
  setHead(records, { permits: remove(records, LINE, head(records).permits ?? EMPTY, toolUseId) });
  permit(scene, id, input);
}

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

export function settleKnown(scene: Scene, callId: CallId): void {
  const { approvalId, settled }: Partial<CallBook> = calls.get(scene.records, callId) ?? {};
  const book = approvalId === undefined ? undefined : approvals.get(scene.records, approvalId);
  if (approvalId === undefined || !settled || !book) return;
  if (book.toolUseId !== undefined || isPersons(settled)) settle(scene, approvalId, settled);
}

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

/**
 * DIALOG-1: the client also reports a `user` if a program answered the client's dialog by a callback. So a person at the terminal
 * counts as the answerer only if the approval was shown there.
 */
function answererOf(permission: Pick<Permission, "source" | "reason">, channels: readonly string[]): string {
  if (isPersons(permission) && isAtTerminal(channels)) return "terminal";
  return permission.source === "hook" ? "hook" : "client";
}
