// Decisions
// Handles decisions of people and rules about approvals, and assignments. An early decision is a decision that comes before its
// approval is requested. Only the engine itself can make early decisions, because the public doors do not know the approval's id
// yet.
//
//   Owns:          storing early decisions, how many are stored, what becomes of each.
//   Does not own:  which decision about an approval counts (the approval's machine).
//
// I-14. If several decisions come before their approval is requested, the first in the journal counts. All of them come from
//     the engine itself, because no public door accepts a decision on an unknown approval.
// I-37. At most `earlyMax` early decisions wait for their approval. A further early decision is refused with an error; it never
//     replaces a waiting decision.
// I-41. Each decision gets an audit row and a reply in its own turn. An early decision gets a second row once its outcome is
//       known.
// G8. An early decision waits until its approval is requested. If it fits several approvals, it is not applied.

import type { DecisionResult, Audit } from "../../audit.ts";
import { approvals, earlyDecisions, head, setHead } from "../../books.ts";
import { defined } from "../../defined.ts";
import { all, push, remove } from "../../queues/deque.ts";
import type { ApprovalId } from "../../ids.ts";
import type { Assigned, Decision } from "../../inputs.ts";
import { isGone, approvalOf, type Scene, tellApproval, touch } from "../scene.ts";

export function decided(scene: Scene, input: Decision): void {
  const id = approvalOf(scene, input.approvalId);
  if (id !== undefined) decide(scene, id, input);
  else if (!isGone(scene, input.approvalId)) keep(scene, input);
}

/** Passes an assignment on to its approval. It does not show work on the request, so it postpones no deadline (R2). */
export function assigned(scene: Scene, { type, approvalId, ...said }: Assigned): void {
  const id = approvalOf(scene, approvalId);
  if (id !== undefined)
    tellApproval(scene, id, { type, at: scene.at, ...said, ...(approvalId !== id && { alias: approvalId }) });
  else if (!isGone(scene, approvalId)) scene.rejection = "no approval has this id";
}

function decide(scene: Scene, id: ApprovalId, decision: Decision, early = false): void {
  const book = approvals.get(scene.records, id);
  if (book) touch(scene, book.requestId);
  const { type: _, approvalId, ...said } = decision;
  tellApproval(scene, id, {
    type: "decided",
    at: scene.at,
    ...said,
    ...(approvalId !== id && { alias: approvalId }),
    ...(early && { early }),
  });
}

function keep(scene: Scene, decision: Decision): void {
  const { records, policy } = scene;
  const { approvalId } = decision;
  const unheard = earlyDecisions.get(records, approvalId)
    ? "an earlier decision waits for this approval"
    : head(records).early.size >= policy.earlyMax
      ? "too many decisions wait for their approvals"
      : undefined;
  if (unheard !== undefined) {
    record(scene, "ignored-decision", decision, unheard);
    return answer(scene, { approvalId, result: "ignored", state: UNASKED, reason: unheard });
  }
  earlyDecisions.set(records, approvalId, decision);
  setHead(records, { early: push(records, "early", head(records).early, approvalId) });
  const reason = "kept until its approval is requested";
  record(scene, "early-decision", decision, reason);
  answer(scene, { approvalId, result: "early", state: UNASKED, reason });
}

const UNASKED = "unasked";

function taken(scene: Scene, approvalId: ApprovalId): Decision | undefined {
  const { records } = scene;
  const decision = earlyDecisions.get(records, approvalId);
  if (!decision) return undefined;
  earlyDecisions.delete(records, approvalId);
  setHead(records, { early: remove(records, "early", head(records).early, approvalId) });
  return decision;
}

/** Applies an early decision to its approval. @param asked the id under which the approval was requested, perhaps an alias. */
export function applyEarly(scene: Scene, id: ApprovalId, asked: ApprovalId, ambiguous: boolean): void {
  const decision = taken(scene, asked);
  if (!decision) return;
  if (!ambiguous) return decide(scene, id, decision, true);
  const reason = "it came before the approval, which may be about another call";
  record(scene, "ignored-decision", decision, reason);
  answer(scene, { approvalId: asked, result: "ignored", state: "pending", reason });
}

/** Records, before a session is removed, that the approvals for which it has early decisions were never requested. */
export function giveUpEarly(scene: Scene): void {
  const { early } = head(scene.records);
  for (const id of [...all(scene.records, "early", early)]) {
    const decision = taken(scene, id);
    if (decision) record(scene, "ignored-decision", decision, "its approval was never requested");
  }
}

function answer(scene: Scene, given: DecisionResult): void {
  scene.steps.push({ do: "answer", answer: given });
}

function record(scene: Scene, kind: Audit["kind"], given: Decision, reason: string): void {
  const { approvalId, by, decision, inputHash, message } = given;
  const row = { kind, approvalId, by, decision, reason, at: scene.at };
  scene.steps.push({ do: "audit", audit: { ...row, ...defined({ inputHash, message }) } });
}
