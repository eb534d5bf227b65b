// Waiting approvals
// Stores approvals whose call has not been seen yet, and chooses the one that a new call gets.
//
//   Owns:          storing and ending the wait of an approval, choosing the approval that a new call gets.
//   Does not own:  the queues in which the approvals wait (waiting-lines), approvals of known calls (matching), events to
//                  the call (binding).
//
// I-07. A new call gets at most one waiting approval: first the one that names the call, then one of the same work that may be
//       about it. Of several, the oldest denied one comes first, then the oldest pending or approved one, then the oldest
//       that expired or was withdrawn.
// C4.   A denied approval waits until a call gets it, or until its request is removed.
// G8.   If several approvals match a new call, a denied one comes first: an unclear call must not be allowed.
// WAITING-APPROVALS-1. If no approval waits, a new call costs nothing. Otherwise the call reads the first entry of a few queues.

import { type ApprovalBook, approvals, head, setHead, waits, workOf } from "../books.ts";
import type { Digest } from "./queue-keys.ts";
import { all, EMPTY, oldest, push, remove } from "./deque.ts";
import { defined } from "../defined.ts";
import type { AgentId, ApprovalId, RequestId } from "../ids.ts";
import type { CallRef } from "../inputs.ts";
import type { Records } from "../records.ts";
import { denialsOf, linesFor, linesOf, namedLines, oldLines } from "./waiting-lines.ts";

export function waitForCall(records: Records, digest: Digest, id: ApprovalId, book: ApprovalBook): void {
  for (const line of linesOf(records, digest, book))
    waits.set(records, line, push(records, `waits/${line}`, waits.get(records, line) ?? EMPTY, id));
  if (isCounted(book)) setHead(records, { unbound: head(records).unbound + 1 });
}

/** True if the head counts this approval as waiting. An older version did not count approvals that were answered. */
const isCounted = ({ answered }: ApprovalBook): boolean => !answered || answered.counted === true;

/** Lets an approval that was answered wait on for its call, at its place in the queue, if the queue still has it. */
export function waitOn(
  records: Records,
  digest: Digest,
  id: ApprovalId,
  before: ApprovalBook,
  after: ApprovalBook,
): void {
  const lines = linesOf(records, digest, before);
  if (linesOf(records, digest, after).join() === lines.join()) return;
  stopWaiting(records, digest, id, before);
  waitForCall(records, digest, id, after);
}

export function stopWaiting(records: Records, digest: Digest, id: ApprovalId, book: ApprovalBook): void {
  let waited = false;
  for (const line of [...linesOf(records, digest, book), ...oldLines(digest, book)])
    waited = leave(records, line, id) || waited;
  if (waited && isCounted(book)) setHead(records, { unbound: head(records).unbound - 1 });
}

function leave(records: Records, line: string, id: ApprovalId): boolean {
  const before = waits.get(records, line);
  if (!before) return false;
  const rest = remove(records, `waits/${line}`, before, id);
  if (rest.size > 0) waits.set(records, line, rest);
  else waits.delete(records, line);
  return rest !== before;
}

/**
 * The approval that a new call gets. That approval no longer waits.
 * @param requestId the call's request. An approval of other work is not about the call, unless it names the call.
 */
export function takeWaiting(
  records: Records,
  digest: Digest,
  agentId: AgentId,
  ref: CallRef,
  requestId: RequestId,
): ApprovalId | undefined {
  const id = findWaiting(records, digest, agentId, ref, requestId);
  const book = id === undefined ? undefined : approvals.get(records, id);
  if (id !== undefined && book) stopWaiting(records, digest, id, book);
  return id;
}

/** The approval that a new call would get. That approval still waits. */
export function findWaiting(
  records: Records,
  digest: Digest,
  agentId: AgentId,
  ref: CallRef,
  requestId: RequestId,
): ApprovalId | undefined {
  if (head(records).unbound === 0) return undefined;
  const { tool, toolUseId, input } = ref;
  const said = { agentId, ...defined({ tool, toolUseId, hash: input?.hash }) };
  for (const line of oldLines(digest, said)) renew(records, digest, line);
  return first(records, linesFor(digest, said, workOf(records, requestId)));
}

/** The approvals that name this call id and still wait for their call. */
export function namedWaiting(records: Records, toolUseId: string): readonly ApprovalId[] {
  if (head(records).unbound === 0) return [];
  return namedLines(toolUseId).flatMap((line) => [
    ...all(records, `waits/${line}`, waits.get(records, line)),
  ]);
}

/** The denied approvals of a request that still wait for their call, oldest first. */
export function unusedDenials(records: Records, requestId: RequestId): readonly ApprovalId[] {
  const line = denialsOf(requestId);
  return [...all(records, `waits/${line}`, waits.get(records, line))];
}

function first(records: Records, lines: readonly string[]): ApprovalId | undefined {
  for (const line of lines) {
    const id = oldest(waits.get(records, line));
    if (id !== undefined && approvals.get(records, id)) return id;
  }
  return undefined;
}

/** Moves approvals from an older version's queues to the present ones, when a queue is first read. */
function renew(records: Records, digest: Digest, line: string): void {
  for (const id of [...all(records, `waits/${line}`, waits.get(records, line))]) {
    const book = approvals.get(records, id);
    if (book) stopWaiting(records, digest, id, book);
    else leave(records, line, id);
    if (book) waitForCall(records, digest, id, book);
  }
}

/** Deletes a removed approval from every queue and key. */
export function forgetApproval(records: Records, digest: Digest, id: ApprovalId): void {
  const book = approvals.get(records, id);
  if (!book) return;
  stopWaiting(records, digest, id, book);
  approvals.delete(records, id);
}
