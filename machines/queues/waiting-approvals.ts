// Waiting approvals
// Approvals whose call has not been seen yet, and which of them a new call takes up.
//
//   Owns:          letting an approval wait, ending its wait, choosing the one that a call takes up.
//   Does not own:  the lines they wait in (waiting-lines), approvals of known calls (matching), what the call is told
//                  (binding).
//
// I-07. A call takes up at most one waiting approval: the one that names it, else one of its work that may be about it:
//       the oldest denied one, else the oldest that is pending or approved, else the oldest that is over.
// C4.   A denied approval waits until a call takes it up, or its request is removed. Nothing else ends its wait.
// G8.   If several match, a denial comes first: what is unclear is not allowed.
// WAITING-APPROVALS-1. If no approval waits, a new call costs nothing; else it looks at the first of a few lines.

import { type ApprovalBook, approvals, head, setHead, waits, workOf } from "../books.ts";
import type { Digest } from "./queue-keys.ts";
import { all, EMPTY, oldest, push, remove } from "./deque.ts";
import { defined } from "../defined.ts";
import type { AgentId, ApprovalId, RequestId } from "../ids.ts";
import type { CallRef } from "../inputs.ts";
import type { Records } from "../records.ts";
import { denialsOf, linesFor, linesOf, namedLines, oldLines } from "./waiting-lines.ts";

/** Lets an approval wait for its call. */
export function waitForCall(records: Records, digest: Digest, id: ApprovalId, book: ApprovalBook): void {
  for (const line of linesOf(records, digest, book))
    waits.set(records, line, push(records, `waits/${line}`, waits.get(records, line) ?? EMPTY, id));
  if (isCounted(book)) setHead(records, { unbound: head(records).unbound + 1 });
}

/** In an older version what was answered waited uncounted. */
const isCounted = ({ answered }: ApprovalBook): boolean => !answered || answered.counted === true;

/** Lets an approval wait on once it is answered: where it stood, if it is found there still. */
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

/** Ends an approval's wait, if it waits. */
export function stopWaiting(records: Records, digest: Digest, id: ApprovalId, book: ApprovalBook): void {
  let waited = false;
  for (const line of [...linesOf(records, digest, book), ...oldLines(digest, book)])
    waited = leave(records, line, id) || waited;
  if (waited && isCounted(book)) setHead(records, { unbound: head(records).unbound - 1 });
}

/** @returns true where the approval stood in the line. */
function leave(records: Records, line: string, id: ApprovalId): boolean {
  const before = waits.get(records, line);
  if (!before) return false;
  const rest = remove(records, `waits/${line}`, before, id);
  if (rest.size > 0) waits.set(records, line, rest);
  else waits.delete(records, line);
  return rest !== before;
}

/**
 * The approval that a new call takes up; it no longer waits.
 * @param requestId the call's: an approval of other work does not concern the call, unless it names the call.
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

/** The same approval, which goes on waiting. */
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

/** The approvals that wait for a call with this id; they go on waiting. */
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

/** Approvals that an older version left waiting move to the present lines the first time somebody looks. */
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
