// Waiting approvals
// Keeps approvals whose call has not been seen yet, and chooses the one that a new call takes.
//
//   Owns:          letting an approval wait, ending its wait, choosing the approval that a call takes.
//   Does not own:  the lines they wait in (waiting-lines), approvals of known calls (matching), the events of the call (binding).
//
// I-07. A call takes at most one waiting approval: first the one that names it, then one of its work that may be about it.
//       Of these the oldest denied one comes first, then the oldest pending or approved one, then the oldest that is over.
// C4.   A denied approval waits until a call takes it, or its request is removed. Nothing else ends its wait.
// G8.   If several match, a denial comes first, because an unclear call is not allowed.
// WAITING-APPROVALS-1. If no approval waits, a new call costs nothing; otherwise it reads the first of a few lines.

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

/** Whether an approval is counted as waiting. An older version did not count approvals that were answered. */
const isCounted = ({ answered }: ApprovalBook): boolean => !answered || answered.counted === true;

/** Lets an approval wait on after its answer, at its place in the line, if it is still there. */
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
 * The approval that a new call takes, which then no longer waits.
 * @param requestId the call's. An approval of other work is not about the call, unless it names the call.
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

/** The approval that a new call would take, which still waits. */
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

/** The approvals that wait for a call with this id, and still wait. */
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

/** Moves approvals that an older version left waiting to the present lines, when a line is first read. */
function renew(records: Records, digest: Digest, line: string): void {
  for (const id of [...all(records, `waits/${line}`, waits.get(records, line))]) {
    const book = approvals.get(records, id);
    if (book) stopWaiting(records, digest, id, book);
    else leave(records, line, id);
    if (book) waitForCall(records, digest, id, book);
  }
}

/** Removes a removed approval from everything that could still find it. */
export function forgetApproval(records: Records, digest: Digest, id: ApprovalId): void {
  const book = approvals.get(records, id);
  if (!book) return;
  stopWaiting(records, digest, id, book);
  approvals.delete(records, id);
}
