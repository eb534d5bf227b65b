// Approvals
// Handles messages that request, answer or withdraw an approval.
//
//   Owns:          opening an approval; finding the approval that an answer is about.
//   Does not own:  which of several calls an approval is matched with (matching), approvals with several ids (sharing), people's
//                  decisions (decisions), the effect of an answer on the call (reports).

import {
  agentOf,
  type ApprovalBook,
  approvals,
  calls,
  head,
  occurrences,
  prompts,
  requests,
  setHead,
  workOf,
} from "../../books.ts";
import { defined } from "../../defined.ts";
import { findById, join, leave } from "../../matching/correlation.ts";
import { type Found, likeness, type Likeness, queueKeys } from "../../queues/queue-keys.ts";
import { isModels } from "../../evidence/answerer.ts";
import { isAtTerminal } from "../../evidence/dialog.ts";
import { type AgentId, type ApprovalId, type CallId, MAIN_AGENT, type RequestId } from "../../ids.ts";
import type {
  ApprovalAnswered,
  ApprovalLapsed,
  ApprovalRequested,
  ApprovalWithdrawn,
  CallRef,
} from "../../inputs.ts";
import { matchAnswer, matchCall, matchClosedCall, matchShared } from "../../matching/matching.ts";
import { waitForCall, waitOn } from "../../queues/waiting-approvals.ts";
import { trackApproval, setAgent } from "../agents.ts";
import { bind } from "./binding.ts";
import { applyEarly } from "./decisions.ts";
import { doubtAgain } from "../doubts.ts";
import { allowedElsewhere, answeredAlone, isOfGate } from "./evidence.ts";
import { settleKnown } from "./permits.ts";
import {
  hold,
  isGone,
  isOpen,
  approvalOf,
  reject,
  requestIsOpen,
  type Scene,
  spawnApproval,
  tellApproval,
  withdraw,
} from "../scene.ts";
import { askAgain, rememberAsk, share } from "./sharing.ts";
import { requestForCall } from "../requests.ts";

export function approvalRequested(scene: Scene, agentId: AgentId, input: ApprovalRequested): void {
  const { records, digest, at, policy } = scene;
  const { channel, call: ref, approvalId } = input;
  const own = approvalOf(scene, approvalId);
  if (own !== undefined && approvalId !== undefined) return askAgain(scene, own, { ...input, approvalId });
  if (isGone(scene, approvalId)) return;
  const known = ownRequest(scene, agentId, input);
  const like = likeness(digest, agentId, ref);
  const shared = matchShared(records, like, ref, channel, known && workOf(records, known));
  if (shared) return share(scene, shared.id, input, shared.ambiguous);
  rememberAsk(scene, input);
  const requestId = known ?? requestForCall(scene, agentId, input);
  // R1: all work of a subagent belongs to one request. If this approval is the first message about the subagent, it sets that
  // request.
  if (agentId !== MAIN_AGENT && agentOf(records, agentId).requestId === undefined)
    setAgent(scene, agentId, { requestId });
  const late = !requestIsOpen(scene, requestId);
  const found = matched(scene, like, input, requestId);
  const call = found && calls.get(records, found.id);
  const id = approvalId ?? newId(scene, agentId, ref);
  const home = call?.requestId ?? requestId;
  const tool = ref.tool ?? call?.tool ?? "unknown";
  const onDeadline = input.onDeadline ?? "ask";
  const ambiguous = found?.match.ambiguous ?? false;
  const onDeny = policy.cascade;
  const book: ApprovalBook = {
    agentId,
    requestId: home,
    tool,
    pending: true,
    channels: [channel],
    onDeny,
    ...(channel !== "hook" && { closes: onDeadline }),
    ...(ambiguous && { ambiguous }),
    ...defined({ callId: found?.id, toolUseId: ref.toolUseId, hash: ref.input?.hash }),
  };
  approvals.set(records, id, book);
  if (!found) waitForCall(records, digest, id, book);
  setHead(records, { pendingApprovals: head(records).pendingApprovals + 1 });
  trackApproval(scene, agentId, id, true);
  line(scene, like, id, join);
  scene.revives = !late;
  spawnApproval(scene, {
    id,
    requestId: home,
    agentId,
    tool,
    channel,
    ambiguous,
    candidates: found?.match.candidates ?? 0,
    onDeadline,
    onDeny,
    at,
    ...defined({ callId: found?.id, input: ref.input, shell: ref.shell, deadlineAt: input.deadlineAt }),
    ...(input.sender !== undefined && { requestedBy: [input.sender] }),
  });
  if (found) bind(scene, id, found.id, ref.input?.hash);
  if (found) doubtAgain(scene, found.id);
  hold(scene, home, "pending", 1);
  if (call && !isOpen(call)) tellApproval(scene, id, { type: "withdrawn", at, outcome: "unknown" });
  applyEarly(scene, id, id, ambiguous);
  if (found) settleKnown(scene, found.id);
}

/** Finds the call of a new approval: an open call with its input, else a closed one, else an open call of its tool. */
function matched(
  scene: Scene,
  like: Likeness,
  { call: ref, channel: asker }: ApprovalRequested,
  requestId: RequestId,
): Found | undefined {
  const { records, channel } = scene;
  const open = matchCall(records, like, ref);
  if (open && open.match.how !== "name") return open;
  const isOver = !requestIsOpen(scene, requestId);
  const isAwaited = isOfGate([asker]);
  return matchClosedCall(records, like, ref, { channel, requestId, isOver, isAwaited }) ?? open;
}

function ownRequest(
  { records }: Scene,
  agentId: AgentId,
  { call: ref, promptId }: ApprovalRequested,
): RequestId | undefined {
  const named = findById(records, ref);
  const byId = named && calls.get(records, named.id);
  const { requestId } = head(records);
  const own = agentId === MAIN_AGENT ? undefined : agentOf(records, agentId).requestId;
  const known = promptId === undefined ? requestId : prompts.get(records, promptId);
  const found = byId?.requestId ?? own ?? known;
  return found !== undefined && requests.get(records, found) !== undefined ? found : undefined;
}

function saidWork(
  { records }: Scene,
  agentId: AgentId,
  { promptId }: ApprovalAnswered | ApprovalWithdrawn,
): RequestId | undefined {
  const own = agentId === MAIN_AGENT ? undefined : agentOf(records, agentId).requestId;
  const said = own ?? (promptId === undefined ? undefined : prompts.get(records, promptId));
  return said && workOf(records, said);
}

function newId(scene: Scene, agentId: AgentId, ref: CallRef): ApprovalId {
  const parts = [scene.sessionId, agentId, ref.tool ?? "", ref.input?.hash ?? ""];
  const key = scene.digest("n_", ["approval", ...parts]);
  const n = occurrences.get(scene.records, key) ?? 0;
  occurrences.set(scene.records, key, n + 1);
  return scene.digest("a_", [...parts, String(n)]) as ApprovalId;
}

function line({ records }: Scene, [key]: Likeness, id: ApprovalId, move: typeof join): void {
  if (key !== undefined) move(records, key, "pending", id);
}

/** Records that an approval has ended. If the approval's call has not been seen, the approval goes on waiting for the call. */
export function settleApproval(
  scene: Scene,
  id: ApprovalId,
  fate: Pick<ApprovalBook, "denied" | "answered">,
): CallId | undefined {
  const { records, digest } = scene;
  const book = approvals.get(records, id);
  if (!book?.pending) return undefined;
  const waitsOn = book.callId === undefined;
  const isWithdrawn = fate.answered?.state === "withdrawn";
  const next = {
    ...book,
    pending: false,
    ...(waitsOn && fate),
    ...(isWithdrawn && { withdrawn: true as const }),
  };
  approvals.set(records, id, next);
  if (waitsOn) waitOn(records, digest, id, book, next);
  setHead(records, { pendingApprovals: head(records).pendingApprovals - 1 });
  trackApproval(scene, book.agentId, id, false);
  line(scene, queueKeys(digest, book), id, leave);
  hold(scene, book.requestId, "pending", -1);
  return book.callId;
}

export function approvalAnswered(scene: Scene, agentId: AgentId, input: ApprovalAnswered): void {
  const { decision, by, message, interrupt } = input;
  const id = approvalMeant(scene, agentId, input);
  if (id === undefined) return reject(scene, "no approval fits this answer");
  tellApproval(scene, id, {
    type: "answered",
    at: scene.at,
    decision,
    by,
    ...defined({ message, interrupt }),
  });
  // Records that the client allowed the call itself. ANSWERER-1: this is not recorded if a model of the client allowed the
  // call, because no person answered.
  if (decision === "approve" && !isModels(by)) allowedElsewhere(scene, id, by);
  const { callId } = approvals.get(scene.records, id) ?? {};
  if (callId !== undefined) doubtAgain(scene, callId);
}

export function approvalWithdrawn(scene: Scene, agentId: AgentId, input: ApprovalWithdrawn): void {
  const id = approvalMeant(scene, agentId, input);
  if (id === undefined) scene.rejection = "no approval fits this withdrawal";
  else withdraw(scene, id, "unknown");
}

function approvalMeant(
  scene: Scene,
  agentId: AgentId,
  input: ApprovalAnswered | ApprovalWithdrawn,
): ApprovalId | undefined {
  if (input.approvalId !== undefined) return approvalOf(scene, input.approvalId);
  const like = likeness(scene.digest, agentId, input.call);
  return matchAnswer(scene.records, like, input.call, saidWork(scene, agentId, input));
}

export function approvalLapsed(scene: Scene, input: ApprovalLapsed): void {
  const { at } = scene;
  const { said, observedAt: saidAt = at } = input;
  const id = approvalOf(scene, input.approvalId);
  if (id === undefined) return reject(scene, "no approval has this id");
  tellApproval(scene, id, { type: "lapsed", at, ...(said && { said, saidAt }) });
  if (said) answeredAlone(scene, id, { at: saidAt, said });
}

/** DIALOG-2. Tools whose calls the client runs in parallel: a later call may start while such a call waits for its approval. */
const PARALLEL = new Set([
  "Read",
  "Glob",
  "Grep",
  "LS",
  "NotebookRead",
  "WebFetch",
  "WebSearch",
  "Agent",
  "Task",
]);

/** DIALOG-2. A later call has started: reports that to each of the agent's approvals that is pending at the client's terminal. */
export function staleOthers(scene: Scene, agentId: AgentId, started: CallId): void {
  const { records, at } = scene;
  for (const id of agentOf(records, agentId).asking.ids) {
    const book = approvals.get(records, id);
    if (!book?.pending || book.callId === undefined || book.callId === started) continue;
    if (PARALLEL.has(book.tool) || !isAtTerminal(book.channels)) continue;
    if (!standsBefore(scene, started, book.callId)) tellApproval(scene, id, { type: "staled", at });
  }
}

/** True if the call `one` comes first in the message of both calls. It then began first, however late its start is reported. */
function standsBefore({ records }: Scene, one: CallId, other: CallId): boolean {
  const [a, b] = [calls.get(records, one), calls.get(records, other)];
  return a !== undefined && a.batchId === b?.batchId && a.index < b.index;
}
