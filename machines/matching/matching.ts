// Matching
// Finds the call that an approval belongs to (seed 003).
//
//   Owns:          the order in which calls are tried: id, then input within the agent, then tool name; the oldest call first.
//   Does not own:  the states of an approval (approval), the queues of calls (correlation).
//   Decided in:    docs/decisions/0007-early-denials.md.
//
// I-07. An approval belongs to one call for ever. A call that has an approval is never matched with another one (S3.12).
// S3.11 Candidates are the calls of the session that are not closed and have no approval, lowest sequence first. A call that
//       was opened again (C2) comes after all calls that were open then. Last come calls with the same input whose only
//       approval had ended before the call came (BINDING-2).
// S3.24 If an approval or an answer names its work, it is never matched with an approval of other work. The work is a request
//       with its continuations.

import { type ApprovalBook, approvals, type CallBook, calls, queues, workOf } from "../books.ts";
import { sole } from "../facts/call-facts.ts";
import { findById, findClosed, findInLine, openLike } from "./correlation.ts";
import type { Found, Likeness } from "../queues/queue-keys.ts";
import { all } from "../queues/deque.ts";
import type { ApprovalId, CallId, RequestId } from "../ids.ts";
import type { CallRef } from "../inputs.ts";
import type { Records } from "../records.ts";

const ALIKE_SEEN = 16;

/** The call of a new approval; undefined if no open call matches. An approval that names a call matches only that call. */
export function matchCall(records: Records, like: Likeness, ref: CallRef): Found | undefined {
  const named = findById(records, ref);
  if (named) return named;
  const free = findInLine(records, like, ["unclaimed"]);
  const found = free?.match.how === "input" ? free : (findAskedOver(records, like) ?? free);
  if (found && isAnother(records, found, ref)) return undefined;
  if (ref.toolUseId === undefined) return found;
  return found?.match.how === "input" && !isNamed(records, found.id) ? found : undefined;
}

/** True if the call has an approval that no other approval will replace. */
export const isTaken = ({ asked, askedOver }: CallBook): boolean => asked && !askedOver;

/** The first open call with the same input whose approval had ended before the call came, among the oldest few. */
function findAskedOver(records: Records, like: Likeness): Found | undefined {
  let seen = 0;
  for (const id of openLike(records, like)) {
    if (calls.get(records, id)?.askedOver) return { id, match: sole("input") };
    if (++seen >= ALIKE_SEEN) return undefined;
  }
  return undefined;
}

const isNamed = (records: Records, id: CallId | undefined): boolean =>
  id !== undefined && calls.get(records, id)?.toolUseId !== undefined;

/** True if the call was found by its tool alone, and has another input than the approval shows. */
function isAnother(records: Records, found: Found, ref: CallRef): boolean {
  return (
    found.match.how === "name" && ref.input !== undefined && calls.get(records, found.id)?.hash !== undefined
  );
}

/**
 * I-24: the closed call of the same input and work that a late approval must be about. On the requester's channel that call began
 * and has not ended; if its request is closed, any call of the request fits. An approval that names a call matches only that one.
 */
export function matchClosedCall(
  records: Records,
  like: Likeness,
  ref: CallRef,
  { channel, requestId, isOver, isAwaited }: Late,
): Found | undefined {
  const work = workOf(records, requestId);
  const mayBeAbout = (call: CallBook): boolean =>
    !isTaken(call) && (ref.toolUseId === undefined || call.toolUseId === undefined);
  const began = (call: CallBook): boolean =>
    mayBeAbout(call) &&
    call.late?.channel === channel &&
    !(isAwaited && call.late.isGuess) &&
    workOf(records, call.late.requestId) === work;
  return (
    findClosed(records, like, began) ??
    (isOver
      ? findClosed(records, like, (call) => call.requestId === requestId && mayBeAbout(call))
      : undefined)
  );
}

interface Late {
  readonly channel: string;
  readonly requestId: RequestId;
  readonly isOver: boolean;
  /** True if a gate requests the approval, so that the client holds the call until the answer. */
  readonly isAwaited: boolean;
}

/** True if the approval is known to be about a call with another id. */
function isAnothers(records: Records, ref: CallRef, approval: ApprovalBook): boolean {
  if (ref.toolUseId === undefined) return false;
  if (approval.toolUseId !== undefined) return approval.toolUseId !== ref.toolUseId;
  return isNamed(records, approval.callId);
}

/** Pending approvals about the same input of one agent, oldest first. @param work the work they must be of, if known. */
function* pendingAbout(
  records: Records,
  like: Likeness,
  ref: CallRef,
  work: RequestId | undefined,
): Generator<readonly [ApprovalId, ApprovalBook]> {
  const [key] = like;
  if (key === undefined) return;
  let seen = 0;
  for (const id of all(records, `${key}/pending`, queues.get(records, key)?.pending)) {
    if (++seen > ALIKE_SEEN) return;
    const approval = approvals.get(records, id);
    if (!approval || isAnothers(records, ref, approval)) continue;
    if (work === undefined || workOf(records, approval.requestId) === work) yield [id, approval];
  }
}

/**
 * Finds the pending approval that this request repeats: two channels that ask about one call share its approval. Two approvals
 * requested by one channel are always two, even if they are equal.
 */
export function matchShared(
  records: Records,
  like: Likeness,
  ref: CallRef,
  channel: string,
  work: RequestId | undefined,
): Shared | undefined {
  const known = findById(records, ref);
  if (known) {
    const id = calls.get(records, known.id)?.approvalId;
    return id !== undefined && approvals.get(records, id)?.pending ? { id, ambiguous: false } : undefined;
  }
  const fits = [...pendingAbout(records, like, ref, work)].filter(
    ([, { channels }]) => !channels.includes(channel),
  );
  const [first] = fits;
  return first && { id: first[0], ambiguous: fits.length > 1 };
}

interface Shared {
  readonly id: ApprovalId;
  readonly ambiguous: boolean;
}

/** The approval that an answer without an approval id is about: the named call's, or the oldest pending approval that matches. */
export function matchAnswer(
  records: Records,
  like: Likeness,
  ref: CallRef,
  work: RequestId | undefined,
): ApprovalId | undefined {
  const known = findById(records, ref);
  if (known) return calls.get(records, known.id)?.approvalId;
  for (const [id] of pendingAbout(records, like, ref, work)) return id;
  return undefined;
}
