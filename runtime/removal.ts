// Removal
// Taking away a request with its calls and questions, or a whole session.
//
//   Owns:          finding every row that goes, and what stays as the tombstone.
//   Does not own:  when (machines/routing/retention).
//
// S1.51 What goes, goes with all its rows; a session's ledger (its last version) stays for good.

import {
  type Address,
  agentBooks,
  type AgentId,
  aliasBooks,
  type ApprovalId,
  batchBooks,
  type BatchId,
  callBooks,
  type CallId,
  childAddress,
  forget,
  forgetQuestion,
  GONE_BOOKS,
  goneBooks,
  linkBooks,
  messageBooks,
  nameBooks,
  parseAddress,
  promptBooks,
  type Remove,
  requestBooks,
  type RequestId,
} from "../machines/index.ts";
import type { Snapshot } from "./actors.ts";
import { dropAlarms } from "./alarms.ts";
import type { Stage } from "./delivery.ts";
import { HOLD_TIMER } from "./holdback.ts";
import { keys } from "./keys.ts";
import { ledger, noteRemoval } from "./ledger.ts";
import { unlist, unlistAlias } from "./listing.ts";
import type { Layer } from "./overlay.ts";
import type { SessionRecords } from "./session-records.ts";

const TIMERS = ["hung", "timeout", "removal", "deadline", "orphans", HOLD_TIMER];

function take(layer: Layer, address: Address): Snapshot | undefined {
  const snapshot = layer.get(keys.actor(address)) as Snapshot | undefined;
  if (!snapshot) return undefined;
  unlist(layer, parseAddress(address), address, snapshot);
  dropAlarms(layer, address, TIMERS);
  layer.delete(keys.actor(address));
  return snapshot;
}

export function removeActor(stage: Stage, home: Address, records: SessionRecords, what: Remove): void {
  if (what.kind === "session") removeSession(stage.layer, home, stage.at);
  else if (what.kind === "request") removeRequest(stage, home, records, what.id);
}

/** What is remembered of a removal until its tombstone goes: ids that would otherwise seem new. */
export interface Tomb {
  readonly at: number;
  readonly home: Address;
  /** Absent for a session: then everything kept of it goes. */
  readonly ids?: readonly string[];
}

function removeRequest(stage: Stage, home: Address, records: SessionRecords, id: string): void {
  const { layer, digest, at } = stage;
  const ids: string[] = [id];
  for (const callId of lastParts(layer, keys.callsOfRequest(home, id)) as readonly CallId[]) {
    take(layer, childAddress(home, "call", callId));
    const book = callBooks.get(records, callId);
    if (book) {
      forget(records, digest, callId, book);
      removeBatch(records, book.batchId, id);
      removeAgent(records, book.agentId, id);
      if (book.toolUseId !== undefined) linkBooks.delete(records, book.toolUseId);
    }
    ids.push(callId);
  }
  for (const approvalId of lastParts(layer, keys.askedOfRequest(home, id)) as readonly ApprovalId[]) {
    if (!take(layer, childAddress(home, "approval", approvalId))) unlistAlias(layer, home, id, approvalId);
    aliasBooks.delete(records, approvalId);
    forgetQuestion(records, digest, approvalId);
    ids.push(approvalId);
  }
  const promptId = requestBooks.get(records, id as RequestId)?.promptId;
  for (const prompt of new Set([id, promptId ?? id])) {
    if (promptBooks.get(records, prompt) !== id) continue;
    promptBooks.delete(records, prompt);
    if (prompt !== id) ids.push(prompt);
  }
  take(layer, childAddress(home, "request", id));
  requestBooks.delete(records, id as RequestId);
  for (const removed of ids) goneBooks.set(records, removed, at);
  layer.set(keys.tomb(at, home, id), { at, home, ids } satisfies Tomb);
}

function lastParts(layer: Layer, prefix: string): readonly string[] {
  return [...layer.keys(prefix)].map((key) => key.slice(key.lastIndexOf("/") + 1));
}

/** A batch goes with its request. */
function removeBatch(records: SessionRecords, id: BatchId, requestId: string): void {
  const batch = batchBooks.get(records, id);
  if (batch?.requestId !== requestId) return;
  batchBooks.delete(records, id);
  if (batch.messageId !== undefined) messageBooks.delete(records, `${batch.agentId}/${batch.messageId}`);
}

/** A subagent goes with the request it was started under, once it has stopped. */
function removeAgent(records: SessionRecords, id: AgentId, requestId: string): void {
  const agent = agentBooks.get(records, id);
  if (agent?.requestId !== requestId || agent.state !== "stopped" || agent.open.size + agent.asking.size > 0)
    return;
  agentBooks.delete(records, id);
  if (agent.knownAs !== undefined) nameBooks.delete(records, agent.knownAs);
}

function removeSession(layer: Layer, home: Address, at: number): void {
  take(layer, home);
  const remembered = keys.books(home) + GONE_BOOKS;
  const actors = `${keys.actor(home)}/`;
  for (const key of [...layer.keys(actors)]) take(layer, (home + key.slice(actors.length - 1)) as Address);
  for (const prefix of [keys.books(home), keys.heldOf(home)]) {
    for (const key of [...layer.keys(prefix)]) if (!key.startsWith(remembered)) layer.delete(key);
  }
  layer.delete(keys.holdback(home));
  noteRemoval(layer, home, at);
  layer.set(keys.tomb(at, home, "session"), { at, home } satisfies Tomb);
}

/**
 * Forgets a removal: what repeats it now is new. A session that came back keeps the ids it has seen, and one that was
 * removed again keeps them for its newest tombstone.
 */
export function bury(layer: Layer, tomb: Tomb): void {
  const { at, home, ids } = tomb;
  for (const id of ids ?? []) layer.delete(keys.books(home) + GONE_BOOKS + id);
  if (ids || layer.get(keys.actor(home)) !== undefined || ledger(layer, home).removedAt !== at) return;
  for (const key of [...layer.keys(keys.seenOf(home)), ...layer.keys(keys.books(home))]) layer.delete(key);
}
