// Questions
// Approvals as they are asked, answered and withdrawn by whoever asked.
//
//   Owns:          opening a question and binding it to its call; finding the question an answer means.
//   Does not own:  the order of preference (matching), what an answer does to the call (reports).
//
// I-07. A question is bound to one call at most, once.
// G8.   An early decision waits for its question; it is not applied where the match is ambiguous.

import { agentOf, approvals, calls, earlyDecisions, head, occurrences, prompts, setHead } from "../books.ts";
import { claim, findById, join, leave, queueKeys } from "../correlation.ts";
import { oldest, push, remove } from "../deque.ts";
import { type AgentId, type ApprovalId, type CallId, MAIN_AGENT, type RequestId } from "../ids.ts";
import type {
  ApprovalAnswered,
  ApprovalRequested,
  ApprovalWithdrawn,
  CallRef,
  Decision,
  WaiterGone,
} from "../inputs.ts";
import { matchAnswer, matchCall, matchClosedCall, matchShared, matchWaiting } from "../matching.ts";
import { asking, speaker } from "./agents.ts";
import {
  hold,
  isOpen,
  requestIsOpen,
  type Scene,
  spawnApproval,
  tellApproval,
  tellCall,
  touch,
  withdraw,
} from "./scene.ts";
import { requestForCall } from "./work.ts";

export function approvalRequested(scene: Scene, input: ApprovalRequested): void {
  const { records, digest, at } = scene;
  const { channel, call: ref } = input;
  const agentId = speaker(scene, input);
  const shared = known(scene, input.approvalId) ?? matchShared(records, digest, agentId, ref, channel);
  if (shared !== undefined) return share(scene, shared, channel);
  const requestId = ownRequest(scene, agentId, input);
  const late = !requestIsOpen(scene, requestId);
  const found =
    matchCall(records, digest, agentId, ref) ??
    (late ? matchClosedCall(records, digest, agentId, ref, requestId) : undefined);
  const call = found && calls.get(records, found.id);
  const id = input.approvalId ?? newId(scene, agentId, ref);
  approvals.set(records, id, {
    agentId,
    requestId: call?.requestId ?? requestId,
    tool: ref.tool ?? call?.tool ?? "unknown",
    pending: true,
    channels: [channel],
    ...(found && { callId: found.id }),
    ...(ref.toolUseId !== undefined && { toolUseId: ref.toolUseId }),
    ...(ref.input && { hash: ref.input.hash }),
  });
  setHead(records, { pendingApprovals: head(records).pendingApprovals + 1 });
  asking(scene, agentId, id, true);
  line(scene, agentId, ref, id, true);
  scene.revives = !late;
  spawnApproval(scene, {
    id,
    requestId: call?.requestId ?? requestId,
    agentId,
    tool: ref.tool ?? call?.tool ?? "unknown",
    channel,
    ambiguous: found?.match.ambiguous ?? false,
    candidates: found?.match.candidates ?? 0,
    onDeadline: input.onDeadline ?? "ask",
    at,
    ...(found && { callId: found.id }),
    ...(ref.input && { input: ref.input }),
    ...(input.deadlineAt !== undefined && { deadlineAt: input.deadlineAt }),
  });
  if (found) bind(scene, id, found.id, ref.input?.hash);
  hold(scene, call?.requestId ?? requestId, "pending", 1);
  if (call && !isOpen(call)) tellApproval(scene, id, { type: "withdrawn", at, outcome: "unknown" });
  else applyEarly(scene, id, found?.match.ambiguous ?? false);
}

const known = (scene: Scene, id: ApprovalId | undefined): ApprovalId | undefined =>
  id !== undefined && approvals.get(scene.records, id) ? id : undefined;

function ownRequest(scene: Scene, agentId: AgentId, input: ApprovalRequested): RequestId {
  const named = findById(scene.records, input.call);
  const byId = named && calls.get(scene.records, named.id);
  const { requestId } = head(scene.records);
  // R1: an agent keeps its request.
  const own = agentId === MAIN_AGENT ? undefined : agentOf(scene.records, agentId).requestId;
  const known = input.promptId === undefined ? requestId : prompts.get(scene.records, input.promptId);
  return byId?.requestId ?? own ?? known ?? requestForCall(scene, agentId, input);
}

function newId(scene: Scene, agentId: AgentId, ref: CallRef): ApprovalId {
  const parts = [scene.sessionId, agentId, ref.tool ?? "", ref.input?.hash ?? ""];
  const key = scene.digest("n_", ["approval", ...parts]);
  const n = occurrences.get(scene.records, key) ?? 0;
  occurrences.set(scene.records, key, n + 1);
  return scene.digest("a_", [...parts, String(n)]) as ApprovalId;
}

function share(scene: Scene, id: ApprovalId, channel: string): void {
  const book = approvals.get(scene.records, id);
  if (!book) return;
  approvals.set(scene.records, id, { ...book, channels: [...new Set([...book.channels, channel])] });
  touch(scene, book.requestId);
  tellApproval(scene, id, { type: "asked", at: scene.at, channel });
}

function bind(scene: Scene, id: ApprovalId, callId: CallId, inputHash: string | undefined): void {
  const { records, digest, at } = scene;
  const call = calls.get(records, callId);
  if (!call) return;
  claim(records, digest, callId, call);
  calls.set(records, callId, { ...call, asked: true, allowed: false, approvalId: id });
  tellCall(scene, callId, {
    type: "asked",
    at,
    approvalId: id,
    ...(inputHash !== undefined && { inputHash }),
  });
}

/** Gives a newly seen call the question that came before it. */
export function bindWaiting(scene: Scene, agentId: AgentId, callId: CallId, ref: CallRef): void {
  const id = matchWaiting(scene.records, scene.digest, agentId, ref);
  const book = id === undefined ? undefined : approvals.get(scene.records, id);
  if (id === undefined || !book) return;
  approvals.set(scene.records, id, { ...book, callId });
  tellApproval(scene, id, { type: "bound", at: scene.at, callId });
  bind(scene, id, callId, ref.input?.hash);
}

/** Puts a pending question in, or out of, the line of its input. */
function line(
  scene: Scene,
  agentId: AgentId,
  ref: { tool?: string; input?: { hash: string } },
  id: ApprovalId,
  pending: boolean,
): void {
  if (ref.tool === undefined) return;
  const [key = ""] = queueKeys(scene.digest, agentId, ref.tool, ref.input?.hash);
  const move = pending ? join : leave;
  move(scene.records, key, "pending", id);
}

/** An answered question is no longer pending anywhere. */
export function questionClosed(scene: Scene, id: ApprovalId): CallId | undefined {
  const { records } = scene;
  const book = approvals.get(records, id);
  if (!book?.pending) return undefined;
  approvals.set(records, id, { ...book, pending: false });
  setHead(records, { pendingApprovals: head(records).pendingApprovals - 1 });
  asking(scene, book.agentId, id, false);
  line(
    scene,
    book.agentId,
    { tool: book.tool, ...(book.hash !== undefined && { input: { hash: book.hash } }) },
    id,
    false,
  );
  hold(scene, book.requestId, "pending", -1);
  return book.callId;
}

export function approvalAnswered(scene: Scene, input: ApprovalAnswered): void {
  const { records, digest, at } = scene;
  const { decision, by, message, interrupt } = input;
  const agentId = speaker(scene, input);
  const id =
    known(scene, input.approvalId) ??
    (input.approvalId === undefined ? matchAnswer(records, digest, agentId, input.call) : undefined);
  if (id === undefined) {
    scene.rejection = "no question fits this answer";
    return;
  }
  tellApproval(scene, id, {
    type: "answered",
    at,
    decision,
    by,
    ...(message !== undefined && { message }),
    ...(interrupt !== undefined && { interrupt }),
  });
}

export function approvalWithdrawn(scene: Scene, input: ApprovalWithdrawn): void {
  const { records, digest } = scene;
  const id =
    known(scene, input.approvalId) ??
    (input.approvalId === undefined
      ? matchAnswer(records, digest, speaker(scene, input), input.call)
      : undefined);
  if (id === undefined) scene.rejection = "no question fits this withdrawal";
  else withdraw(scene, id, "unknown");
}

export function waiterGone(scene: Scene, input: WaiterGone): void {
  withdraw(scene, known(scene, input.approvalId), "unknown");
}

export function decided(scene: Scene, input: Decision): void {
  const { records, policy } = scene;
  if (known(scene, input.approvalId) !== undefined) return decide(scene, input);
  const { early } = head(records);
  const kept = earlyDecisions.get(records, input.approvalId)
    ? early
    : push(records, "early", early, input.approvalId);
  if (kept !== early) earlyDecisions.set(records, input.approvalId, input);
  const first = oldest(kept);
  if (kept.size <= policy.earlyMax || first === undefined) return setHead(records, { early: kept });
  earlyDecisions.delete(records, first as ApprovalId);
  setHead(records, { early: remove(records, "early", kept, first) });
}

function decide(scene: Scene, { type: _, approvalId, ...decision }: Decision): void {
  const book = approvals.get(scene.records, approvalId);
  if (book) touch(scene, book.requestId);
  tellApproval(scene, approvalId, { type: "decided", at: scene.at, ...decision });
}

function applyEarly(scene: Scene, id: ApprovalId, ambiguous: boolean): void {
  const decision = earlyDecisions.get(scene.records, id);
  if (!decision) return;
  earlyDecisions.delete(scene.records, id);
  setHead(scene.records, { early: remove(scene.records, "early", head(scene.records).early, id) });
  if (!ambiguous) decide(scene, decision);
}

/** Tools the client runs beside others; a later Pre says nothing about a question on one of these. */
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

/** A call taken up after a serial one was asked about: that question was answered somewhere else. */
export function staleOthers(scene: Scene, agentId: AgentId, started: CallId): void {
  for (const id of agentOf(scene.records, agentId).asking.ids as readonly ApprovalId[]) {
    const book = approvals.get(scene.records, id);
    if (!book?.pending || book.callId === undefined || book.callId === started || PARALLEL.has(book.tool))
      continue;
    tellApproval(scene, id, { type: "staled", at: scene.at });
  }
}
