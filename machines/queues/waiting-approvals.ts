// Waiting approvals
// Stores approvals whose call has not been seen yet, and chooses the approval that a new call gets.
//
//   Owns:          when an approval begins to wait for its call, and when it stops; which waiting approval a new call gets.
//   Does not own:  the names of the queues (waiting-lines), approvals of known calls (matching), sending events to the call
//                  (binding).
//
// I-07. A new call gets at most one waiting approval: the approval that names the call, or else an approval of the same request
//       that may be about the call. A denied approval comes first, then a pending or approved one, then an expired or withdrawn
//       one; of equal approvals, the oldest.
// C4.   A denied approval waits until a call gets it, or until its request is removed.
// G8. If several approvals match a new call, a denied one comes first: if it is unclear which approval is the call's, the call
//     must not be allowed.
// WAITING-APPROVALS-1. While no approval waits, a new call causes no look-up. Otherwise the first approval of a few queues is
//     read for each new call.

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

/** True if the session's count `unbound` includes this approval. An older version did not count answered approvals. */
const isCounted = ({ answered }: ApprovalBook): boolean => !answered || answered.counted === true;

/** Keeps an answered approval waiting for its call: at its place in its queue, or in another queue if its answer requires one. */
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
 * Finds the approval that waits for the call, and takes it from the queue.
 * @param requestId the call's request. Approvals of another request fit only if they name the call, or if both requests are
 * the same work: one is a continuation of the other.
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

export function namedWaiting(records: Records, toolUseId: string): readonly ApprovalId[] {
  if (head(records).unbound === 0) return [];
  return namedLines(toolUseId).flatMap((line) => idsIn(records, line));
}

export const unusedDenials = (records: Records, requestId: RequestId): readonly ApprovalId[] =>
  idsIn(records, denialsOf(requestId));

const idsIn = (records: Records, line: string): readonly ApprovalId[] => [
  ...all(records, `waits/${line}`, waits.get(records, line)),
];

function first(records: Records, lines: readonly string[]): ApprovalId | undefined {
  for (const line of lines) {
    const id = oldest(waits.get(records, line));
    if (id !== undefined && approvals.get(records, id)) return id;
  }
  return undefined;
}

/** Moves approvals from the queues of builds before release 0.1.0 to queues of the present form, when a queue is first read. */
function renew(records: Records, digest: Digest, line: string): void {
  for (const id of idsIn(records, line)) {
    const book = approvals.get(records, id);
    if (book) stopWaiting(records, digest, id, book);
    else leave(records, line, id);
    if (book) waitForCall(records, digest, id, book);
  }
}

export function forgetApproval(records: Records, digest: Digest, id: ApprovalId): void {
  const book = approvals.get(records, id);
  if (!book) return;
  stopWaiting(records, digest, id, book);
  approvals.delete(records, id);
}
