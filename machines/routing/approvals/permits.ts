// Permits
// Records who allowed or denied a call, as its client reports it. Such a report is called a permission.
//
//   Owns:          passing a permission to the call and its approvals; storing a permission that comes before its call.
//   Does not own:  whether a person is behind the permission (evidence/permission), reading a result (outcomes).
//
// PERMITS-1. A permission that names a call counts whenever it is reported: before the call, before its approval, or after both.
// PERMITS-2. A permission that a client reports as it happens settles every approval of the call, also a later one. If a later
//     approval names no call, only a person's permission settles it: a call that a rule allowed has no approval.
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

/** Stores a permission for a call that no other message has named yet. */
export function keepPermit(scene: Scene, toolUseId: string, input: ToolPermission): void {
  const { records, policy } = scene;
  const known = permits.get(records, toolUseId);
  const word = kept(known, input);
  // PERMITS-1: two permissions for one call both count.
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

/** Applies to a new call the permission that came before the call. */
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

/** Settles an approval when it is linked with its call, if the client has reported the answer before. */
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

/** DIALOG-1: a report of a `user` may mean a program, which answered the client's dialog by a callback. */
function answererOf(permission: Pick<Permission, "source" | "reason">, channels: readonly string[]): string {
  if (isPersons(permission) && isAtTerminal(channels)) return "terminal";
  return permission.source === "hook" ? "hook" : "client";
}
