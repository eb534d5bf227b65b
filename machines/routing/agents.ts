// Agents and batches
// Finds the agent that sent a message, and the batch to which the message's calls belong.
//
//   Owns:          the books of agents and of batches.
//   Does not own:  which call started an agent (parents), requests, when a batch's calls are closed (closing).
//
// B1. A batch belongs to one agent and one request. A batch opens with the agent's first call after its previous batch closed.
//       The calls of a batch are numbered in order of arrival until the client reports their order; when the batch closes, the
//       numbers are final. If only a transcript reports a message, and does so later than the hooks, the message's calls get a
//       batch of their own, and the open batch does not change.

import {
  type AgentBook,
  agentOf,
  agents,
  type BatchBook,
  batches,
  head,
  messages,
  setHead,
} from "../books.ts";
import { all, push, remove } from "../queues/deque.ts";
import type { Records } from "../records.ts";
import {
  type AgentId,
  type ApprovalId,
  type BatchId,
  type CallId,
  MAIN_AGENT,
  type RequestId,
} from "../ids.ts";
import { lags, type Scene } from "./scene.ts";

export function setAgent(scene: Scene, id: AgentId, change: Partial<AgentBook>): AgentBook {
  const known = agents.get(scene.records, id);
  const next: AgentBook = Object.assign({}, known ?? agentOf(scene.records, id), change);
  agents.set(scene.records, id, next);
  if (id !== MAIN_AGENT) enlist(scene, id, isListed(next), known !== undefined && isListed(known));
  return next;
}

/** True for an agent on the list of subagents. A stopped agent stays there while a call or an approval of it is open. */
const isListed = ({ state, open, asking }: AgentBook): boolean =>
  state === "running" || open.size > 0 || asking.size > 0;

function enlist(scene: Scene, id: AgentId, now: boolean, before: boolean): void {
  if (now === before) return;
  const list = head(scene.records).agents;
  const change = now ? push : remove;
  setHead(scene.records, { agents: change(scene.records, "agents", list, id) });
}

export const everyAgent = (records: Pick<Records, "get">): readonly AgentId[] => [
  MAIN_AGENT,
  ...all(records, "agents", head(records).agents),
];

export function* openCalls(records: Pick<Records, "get">): Generator<CallId> {
  for (const id of everyAgent(records)) yield* all(records, `agent/${id}/open`, agentOf(records, id).open);
}

export function joinBatch(
  scene: Scene,
  agentId: AgentId,
  requestId: RequestId,
  messageId: string | undefined,
  isPast = false,
): { readonly id: BatchId; readonly index: number } {
  const id = batchOf(scene, agentId, requestId, messageId, isPast);
  const book = batches.get(scene.records, id);
  const index = book?.size ?? 0;
  if (book) batches.set(scene.records, id, { ...book, size: index + 1 });
  return { id, index };
}

/** Finds the batch of a message that was seen before, for a line that a transcript reports late. */
export function knownBatch(
  scene: Scene,
  agentId: AgentId,
  messageId: string | undefined,
): BatchId | undefined {
  return messageId === undefined ? undefined : messages.get(scene.records, `${agentId}/${messageId}`);
}

function batchOf(
  scene: Scene,
  agentId: AgentId,
  requestId: RequestId,
  messageId: string | undefined,
  isPast: boolean,
): BatchId {
  const known = knownBatch(scene, agentId, messageId);
  if (known !== undefined) return known;
  const current = agentOf(scene.records, agentId).batchId;
  const book = current === undefined ? undefined : batches.get(scene.records, current);
  const sameMessage =
    book?.messageId === undefined || messageId === undefined || book.messageId === messageId;
  const isHistorical = messageId !== undefined && book !== undefined && isHistory(scene, book, requestId);
  const isLate = isPast || isHistorical;
  if (current !== undefined && book?.requestId === requestId && !book.closed && sameMessage && !isLate) {
    nameBatch(scene, agentId, current, messageId);
    return current;
  }
  if (current !== undefined && book && !isLate)
    batches.set(scene.records, current, { ...book, closed: true });
  const { batches: count } = head(scene.records);
  const id = `b${count + 1}` as BatchId;
  setHead(scene.records, { batches: count + 1 });
  batches.set(scene.records, id, { agentId, requestId, size: 0, ordered: false, closed: isLate });
  nameBatch(scene, agentId, id, messageId);
  if (!isLate) setAgent(scene, agentId, { batchId: id });
  return id;
}

/** B1. True if a transcript's message must not join the open batch, because its calls may repeat calls that hooks reported. */
const isHistory = (scene: Scene, inHand: BatchBook, requestId: RequestId): boolean =>
  lags(scene) &&
  !inHand.closed &&
  (inHand.messageId === undefined ||
    (inHand.requestId !== requestId && inHand.requestId === head(scene.records).requestId));

/** The batch that the agent's next call joins, unless the call begins another message. */
export function openBatch({ records }: Scene, agentId: AgentId): BatchId | undefined {
  const { batchId } = agentOf(records, agentId);
  return batchId !== undefined && batches.get(records, batchId)?.closed === false ? batchId : undefined;
}

export function nameBatch(scene: Scene, agentId: AgentId, id: BatchId, messageId: string | undefined): void {
  const book = batches.get(scene.records, id);
  if (messageId === undefined || book === undefined || book.messageId !== undefined) return;
  batches.set(scene.records, id, { ...book, messageId });
  messages.set(scene.records, `${agentId}/${messageId}`, id);
}

/** Closes an agent's batch. @param lost why the engine gives up the batch's open calls, if it does. */
export function closeBatch(scene: Scene, agentId: AgentId, lost?: BatchBook["lost"]): void {
  const { batchId } = agentOf(scene.records, agentId);
  const book = batchId === undefined ? undefined : batches.get(scene.records, batchId);
  if (batchId === undefined || !book || book.lost) return;
  batches.set(scene.records, batchId, { ...book, closed: true, ...(lost && { lost }) });
}

export function openCall(scene: Scene, agentId: AgentId, id: CallId): void {
  const agent = agentOf(scene.records, agentId);
  const open = push(scene.records, `agent/${agentId}/open`, agent.open, id);
  setAgent(scene, agentId, { open, state: "running" });
}

/** Lists a call of the past as open until its end is reported. The agent does not count as working because of this call. */
export function openPastCall(scene: Scene, agentId: AgentId, id: CallId): void {
  if (agentId !== MAIN_AGENT && !agents.get(scene.records, agentId))
    setAgent(scene, agentId, { state: "stopped" });
  reopenCall(scene, agentId, id);
}

/** Lists a deferred call as open again. The agent does not count as working because of this call. */
export function reopenCall(scene: Scene, agentId: AgentId, id: CallId): void {
  const agent = agentOf(scene.records, agentId);
  setAgent(scene, agentId, { open: push(scene.records, `agent/${agentId}/open`, agent.open, id) });
}

export function closeCall(scene: Scene, agentId: AgentId, id: CallId): void {
  const agent = agentOf(scene.records, agentId);
  setAgent(scene, agentId, { open: remove(scene.records, `agent/${agentId}/open`, agent.open, id) });
}

export function trackApproval(
  scene: Scene,
  agentId: AgentId,
  approvalId: ApprovalId,
  pending: boolean,
): void {
  const agent = agentOf(scene.records, agentId);
  const change = pending ? push<ApprovalId> : remove<ApprovalId>;
  setAgent(scene, agentId, {
    asking: change(scene.records, `agent/${agentId}/asking`, agent.asking, approvalId),
  });
}
