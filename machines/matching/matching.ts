// Matching
// Finds the call that an approval belongs to (seed 003).
//
//   Owns:          by which fact an approval's call is looked for: first the id, then the input among the agent's calls, then the
//                  tool's name; of equal calls the oldest.
//   Does not own:  the states of an approval (approval), the queues of calls (correlation).
//   Decided in:    docs/decisions/0007-early-denials.md.
//
// I-07. An approval belongs to one call for ever. A call that has an approval is never matched with another approval (S3.12).
// S3.11 An approval is matched first with the session's open calls without an approval, the oldest call first; then with calls
//       that were opened again (C2); then with calls of the same input whose only approval had ended before the call came
//       (BINDING-2).
// S3.24 If an approval or an answer names its request, it is never matched with a call of another request or of that other
//     request's continuations.

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

/** True if the call has an approval, and no later approval may replace it (BINDING-2). */
export const isTaken = ({ asked, askedOver }: CallBook): boolean => asked && !askedOver;

/** Of the oldest few open calls with the same input: the first whose approval had ended before the call came. */
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

function isAnother(records: Records, found: Found, ref: CallRef): boolean {
  return (
    found.match.how === "name" && ref.input !== undefined && calls.get(records, found.id)?.hash !== undefined
  );
}

/**
 * I-24. Finds a closed call for a late approval: a call whose start, but not whose end, the approval's channel reported. If the
 * approval's request is over (`isOver`), any of the request's closed calls that has no approval fits, too.
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
  /** True if a gate requests the approval. The client then holds the call until the answer. */
  readonly isAwaited: boolean;
}

/** True if the engine knows that the approval is about a call with another id than `ref` names. */
function isAnothers(records: Records, ref: CallRef, approval: ApprovalBook): boolean {
  if (ref.toolUseId === undefined) return false;
  if (approval.toolUseId !== undefined) return approval.toolUseId !== ref.toolUseId;
  return isNamed(records, approval.callId);
}

/** An agent's pending approvals about one input, oldest first. @param work the work to which they must belong, if known. */
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

/** The approval that another channel requested for the same call. Equal requests of one channel are different approvals. */
export function matchShared(
  records: Records,
  like: Likeness,
  ref: CallRef,
  channel: string,
  work: RequestId | undefined,
): { readonly id: ApprovalId; readonly ambiguous: boolean } | undefined {
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

/** Finds the approval that an answer is about: the named call's approval, or the oldest pending approval that matches. */
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
