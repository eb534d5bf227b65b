// Removal
// Taking away a request with its calls and questions, or a whole session.
//
//   Owns:          finding every row that goes, and what stays as the tombstone.
//   Does not own:  when (machines/routing/retention).
//
// S1.51 What goes, goes with all its rows; a session's ledger (its last version) stays for good.
// G1.   Where its sources have counted to goes with the ids it has seen: until then what comes late is known as late.

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
  forget,
  forgetQuestion,
  GONE_BOOKS,
  goneBooks,
  HEAD_BOOK,
  linkBooks,
  messageBooks,
  nameBooks,
  parseAddress,
  promptBooks,
  type Remove,
  requestBooks,
  type RequestId,
} from "../machines/index.ts";
import { actorRow } from "./actor-rows.ts";
import { dropAlarms } from "./alarms.ts";
import type { Stage } from "./delivery.ts";
import { InvariantViolation } from "./errors.ts";
import { allWaiting, HOLD_TIMER } from "./holdback-rows.ts";
import { keys } from "./keys.ts";
import { ledger, noteRemoval } from "./ledger.ts";
import { unlist, unlistAlias } from "./listing.ts";
import type { Layer } from "./overlay.ts";
import { type Name, SESSION, type SessionRecords } from "./session-records.ts";

const TIMERS = ["hung", "timeout", "removal", "deadline", "orphans", HOLD_TIMER];

/** Takes an actor away with its index rows and deadlines. @returns false where there is none. */
function take(layer: Layer, home: Address, records: SessionRecords, name: Name): boolean {
  const snapshot = records.snapshot(name);
  if (!snapshot) return false;
  const address = (name === SESSION ? home : `${home}/${name}`) as Address;
  unlist(layer, parseAddress(address), address, snapshot);
  dropAlarms(layer, address, TIMERS);
  records.setSnapshot(name, undefined);
  return true;
}

export function removeActor(stage: Stage, home: Address, records: SessionRecords, what: Remove): void {
  // What goes is found by its rows.
  records.keep();
  if (what.kind === "session") removeSession(stage.layer, home, records, stage.at);
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
    take(layer, home, records, `call/${callId}`);
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
    if (!take(layer, home, records, `approval/${approvalId}`)) unlistAlias(layer, home, id, approvalId);
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
  take(layer, home, records, `request/${id}`);
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

function removeSession(layer: Layer, home: Address, records: SessionRecords, at: number): void {
  checkNothingWaits(layer, home);
  noteRemoval(layer, home, at);
  take(layer, home, records, SESSION);
  records.delete(HEAD_BOOK);
  for (const name of below(layer, `${keys.actor(home)}/`)) {
    take(layer, home, records, name);
    records.delete(name);
  }
  for (const name of below(layer, keys.books(home))) if (!name.startsWith(GONE_BOOKS)) records.delete(name);
  layer.delete(keys.holdback(home));
  layer.set(keys.tomb(at, home, "session"), { at, home } satisfies Tomb);
}

/** What waits was taken in: a turn that removes a session has to apply it first. */
function checkNothingWaits(layer: Layer, home: Address): void {
  if (Object.keys(allWaiting(layer, home)).length === 0) return;
  throw new InvariantViolation(
    "STILL_WAITING",
    `The session ${home} was to be removed while messages of it waited for earlier ones.`,
    "Report this as a defect; the session was kept.",
  );
}

/** What follows the prefix in the keys that begin with it. */
const below = (layer: Layer, prefix: string): readonly string[] =>
  Array.from(layer.keys(prefix), (key) => key.slice(prefix.length));

/**
 * Forgets a removal: what repeats it now is new. A session that came back keeps the ids it has seen, and one that was
 * removed again keeps them for its newest tombstone.
 */
export function bury(layer: Layer, tomb: Tomb): void {
  const { at, home, ids } = tomb;
  for (const id of ids ?? []) layer.delete(keys.books(home) + GONE_BOOKS + id);
  if (ids || actorRow(layer, home) !== undefined || ledger(layer, home).removedAt !== at) return;
  for (const prefix of [keys.seenOf(home), keys.linesOf(home), keys.books(home)])
    for (const key of [...layer.keys(prefix)]) layer.delete(key);
}
