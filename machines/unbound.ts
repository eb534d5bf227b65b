// Unbound
// Questions whose call has not been seen, and which of them a call is about when it comes.
//
//   Owns:          the lines in which they wait, by what they say of their call.
//   Does not own:  questions about calls that are known (matching), what the call is told (binding).
//
// I-07. A call takes up one waiting question at most: the one that names it, else the oldest that shows its input.
// G8.   A decision that came before its question is no word about a call that another waiting question fits as well.
// D1.   Where no question waits, a new call costs nothing; else it looks at sixteen of a line.

import { type ApprovalBook, approvals, head, requests, setHead, waits } from "./books.ts";
import { type Digest, queueKeys } from "./correlation.ts";
import { all, EMPTY, push, remove } from "./deque.ts";
import type { AgentId, ApprovalId, RequestId } from "./ids.ts";
import type { CallRef } from "./inputs.ts";
import { isAnothers } from "./matching.ts";
import type { Records } from "./records.ts";

const SEEN_MAX = 16;

interface Said {
  readonly agentId: AgentId;
  readonly tool: string;
  readonly toolUseId?: string;
  readonly hash?: string;
}

/** The line of those that name one call, and of those that show one input. */
function linesOf(digest: Digest, { agentId, tool, toolUseId, hash }: Said): readonly string[] {
  const named = toolUseId === undefined ? [] : [`use/${toolUseId}`];
  return hash === undefined ? named : [...named, ...queueKeys(digest, agentId, tool, hash).slice(0, 1)];
}

/** Lets a question wait for its call. */
export function waitForCall(records: Records, digest: Digest, id: ApprovalId, book: ApprovalBook): void {
  const lines = linesOf(digest, book);
  for (const line of lines)
    waits.set(records, line, push(records, `waits/${line}`, waits.get(records, line) ?? EMPTY, id));
  if (lines.length > 0) setHead(records, { unbound: head(records).unbound + 1 });
}

/** Ends a question's wait, if it waits. */
export function stopWaiting(records: Records, digest: Digest, id: ApprovalId, book: ApprovalBook): void {
  let waited = false;
  for (const line of linesOf(digest, book)) {
    const before = waits.get(records, line) ?? EMPTY;
    const rest = remove(records, `waits/${line}`, before, id);
    waited ||= rest !== before;
    if (rest.size > 0) waits.set(records, line, rest);
    else waits.delete(records, line);
  }
  if (waited) setHead(records, { unbound: head(records).unbound - 1 });
}

/**
 * The question that a call just seen takes up; it waits no longer.
 * @param requestId the call's: what was denied in other work says nothing about it.
 */
export function takeWaiting(
  records: Records,
  digest: Digest,
  agentId: AgentId,
  ref: CallRef,
  requestId: RequestId,
): ApprovalId | undefined {
  if (head(records).unbound === 0) return undefined;
  const { tool, toolUseId, input } = ref;
  const said = {
    agentId,
    tool: tool ?? "",
    ...(toolUseId !== undefined && { toolUseId }),
    ...(tool !== undefined && input && { hash: input.hash }),
  };
  for (const line of linesOf(digest, said)) {
    const fits = waitingIn(records, digest, line, ref, requestId);
    const isCertain = fits.length === 1 || line === `use/${toolUseId ?? ""}`;
    for (const [id, book] of fits) {
      if (book.pending || isCertain || book.denied?.early !== true) {
        stopWaiting(records, digest, id, book);
        return id;
      }
      stopWaiting(records, digest, id, book);
    }
  }
  return undefined;
}

/** The first of a line that fit, oldest first; those that outlived their work are let go. */
function waitingIn(
  records: Records,
  digest: Digest,
  line: string,
  ref: CallRef,
  requestId: RequestId,
): readonly (readonly [ApprovalId, ApprovalBook])[] {
  const ids = [...all(records, `waits/${line}`, waits.get(records, line))].slice(0, SEEN_MAX);
  return (ids as ApprovalId[]).flatMap((id) => {
    const book = approvals.get(records, id);
    if (!book || isAnothers(records, ref, book)) return [];
    if (book.pending || isOneWork(records, book.requestId, requestId)) return [[id, book] as const];
    stopWaiting(records, digest, id, book);
    return [];
  });
}

/** A request and its continuations are one work (R1). */
function isOneWork(records: Records, one: RequestId, other: RequestId): boolean {
  const rootOf = (id: RequestId): RequestId => requests.get(records, id)?.root ?? id;
  return one === other || rootOf(one) === rootOf(other);
}

/** Takes a removed question out of everything that could still find it. */
export function forgetQuestion(records: Records, digest: Digest, id: ApprovalId): void {
  const book = approvals.get(records, id);
  if (!book) return;
  stopWaiting(records, digest, id, book);
  approvals.delete(records, id);
}
