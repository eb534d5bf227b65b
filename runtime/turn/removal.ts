// Removal
// Removes a request with its calls and approvals, or a whole session, in several turns.
//
//   Owns:          finding every row to remove; which tombstone remains.
//   Does not own:  when an actor is removed (machines/routing/retention), removing tombstones (tombs).
//
// S1.51 A removal removes all rows of the removed actor. Of a session, some rows remain for a limited time: its ledger with the
// count of its changes; its tombstone; and, as long as the tombstone, the ids of its messages and removed actors, and the next
// sequence numbers. G1. The next sequence number of a source is removed together with the ids of the source's messages. Until
// then, a repeated message is recognised as late.
// REMOVAL-1. One turn removes at most 32 calls and approvals, or 500 books. If more is to be removed, the turn sets the
//     removal's deadline again, so that the next turn goes on immediately. The request is removed with the last of its calls,
//     the session with the last of its books.

import type { Stage } from "./stage.ts";
import {
  type Address,
  agentBooks,
  type AgentId,
  aliasBooks,
  type ApprovalContext,
  type ApprovalId,
  askBooks,
  batchBooks,
  type BatchId,
  callBooks,
  type CallId,
  forget,
  forgetApproval,
  forgetDoubts,
  forgetOldDoubts,
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
  requestGone,
  type RequestId,
  type SessionContext,
} from "../../machines/index.ts";
import { dropAlarms, setAlarm } from "../rows/alarms.ts";
import { InvariantViolation } from "../errors/errors.ts";
import { allWaiting, HOLD_TIMER } from "../rows/holdback-rows.ts";
import { keys } from "../rows/keys.ts";
import { unlist, unlistAlias } from "../rows/listing.ts";
import { meta } from "../rows/meta.ts";
import { firstKeys, type Layer } from "../rows/overlay.ts";
import { keepPast, pastApproval } from "../rows/past-approvals.ts";
import { type Name, type Page, partsOf, SESSION, type SessionRecords } from "../rows/session-records.ts";
import { regionOf } from "../rows/views.ts";
import { entomb, type Tomb } from "./tombs.ts";

const ACTORS_MAX = 32;
const BOOKS_MAX = 500;
const REMOVAL = "removal";

const TIMERS = {
  session: ["idle", REMOVAL, "orphans", HOLD_TIMER],
  request: ["hung", "timeout", REMOVAL],
  call: ["deferral"],
  approval: ["deadline"],
} as const;

/** Removes an actor with its index rows and deadlines. @returns false if there is no such actor. */
function take(layer: Layer, home: Address, records: SessionRecords, name: Name): boolean {
  const snapshot = records.snapshot(name);
  if (!snapshot) return false;
  const address = (name === SESSION ? home : `${home}/${name}`) as Address;
  const where = parseAddress(address);
  unlist(layer, where, address, snapshot);
  dropAlarms(layer, address, TIMERS[where.kind]);
  records.setSnapshot(name, undefined);
  return true;
}

export function removeActor(stage: Stage, home: Address, records: SessionRecords, what: Remove): void {
  // The changes of this attempt are written first, because the code below finds in the layer what it has to remove.
  records.keep();
  if (what.kind === "session") removeSession(stage, home, records);
  else if (what.kind === "request") removeRequest(stage, home, records, what.id);
}

function removeRequest(stage: Stage, home: Address, records: SessionRecords, id: RequestId): void {
  const { layer, digest } = stage;
  // `keepAsked` reads the request's calls and agents, so it must run before these are removed.
  keepAsked(stage, home, records, id);
  const ids: string[] = [];
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
  if (ids.length < ACTORS_MAX)
    for (const approvalId of lastParts(layer, keys.askedOfRequest(home, id)) as readonly ApprovalId[]) {
      if (!take(layer, home, records, `approval/${approvalId}`)) unlistAlias(layer, home, id, approvalId);
      aliasBooks.delete(records, approvalId);
      askBooks.delete(records, approvalId);
      forgetApproval(records, digest, approvalId);
      ids.push(approvalId);
    }
  if (ids.length >= ACTORS_MAX) {
    remember(stage, home, records, ids);
    setAlarm(layer, `${home}/request/${id}` as Address, REMOVAL, "now");
    return;
  }
  const book = requestBooks.get(records, id);
  const promptId = book?.promptId;
  if (book) forgetDoubts(records, id, book);
  for (const prompt of new Set([id, promptId ?? id])) {
    if (promptBooks.get(records, prompt) !== id) continue;
    promptBooks.delete(records, prompt);
    if (prompt !== id) ids.push(prompt);
  }
  take(layer, home, records, `request/${id}`);
  requestBooks.delete(records, id);
  requestGone(records);
  remember(stage, home, records, [id, ...ids]);
}

function keepAsked(
  { layer, workspace, session }: Stage,
  home: Address,
  records: SessionRecords,
  id: RequestId,
): void {
  if (meta(layer).configuration.approvalsKeptMs === 0) return;
  const { cwd } = (records.snapshot(SESSION)?.context ?? {}) as Partial<SessionContext>;
  for (const approvalId of lastParts(layer, keys.askedOfRequest(home, id))) {
    const snapshot = records.snapshot(`approval/${approvalId}`);
    // The cast is safe: a snapshot under an approval's name is an approval's. If the id is an alias, there is no actor and no
    // snapshot.
    const context = snapshot?.context as ApprovalContext | undefined;
    if (!snapshot || !context) continue;
    const agentType = agentBooks.get(records, context.agentId)?.type;
    keepPast(
      layer,
      workspace,
      pastApproval(context, regionOf(snapshot.value), { sessionId: session, agentType, cwd }),
    );
  }
}

/**
 * Writes a tombstone for removed actors. Until the tombstone is removed, a message that names one of these actors' ids counts
 * as late.
 */
function remember(
  { layer, at }: Stage,
  home: Address,
  records: SessionRecords,
  ids: readonly string[],
): void {
  for (const id of ids) goneBooks.set(records, id, at);
  const [first = ""] = ids;
  layer.set(keys.tomb(at, home, first), { at, home, ids } satisfies Tomb);
}

function lastParts(layer: Layer, prefix: string): readonly string[] {
  return firstKeys(layer, prefix, ACTORS_MAX).map((key) => key.slice(key.lastIndexOf("/") + 1));
}

function removeBatch(records: SessionRecords, id: BatchId, requestId: string): void {
  const batch = batchBooks.get(records, id);
  if (batch?.requestId !== requestId) return;
  forgetOldDoubts(records, id, batch.doubted);
  batchBooks.delete(records, id);
  if (batch.messageId !== undefined) messageBooks.delete(records, `${batch.agentId}/${batch.messageId}`);
}

function removeAgent(records: SessionRecords, id: AgentId, requestId: string): void {
  const agent = agentBooks.get(records, id);
  if (agent?.requestId !== requestId || agent.state !== "stopped" || agent.open.size + agent.asking.size > 0)
    return;
  agentBooks.delete(records, id);
  if (agent.knownAs !== undefined) nameBooks.delete(records, agent.knownAs);
}

function removeSession({ layer, at }: Stage, home: Address, records: SessionRecords): void {
  checkNothingWaits(layer, home);
  const below = `${keys.actor(home)}/`;
  const actors = firstKeys(layer, below, ACTORS_MAX);
  for (const key of actors) {
    const name = key.slice(below.length);
    take(layer, home, records, name);
    records.delete(...partsOf(name));
  }
  const pages = pagesOf(records);
  for (const page of pages) records.delete(...page);
  if (actors.length >= ACTORS_MAX || pages.length >= BOOKS_MAX) return setAlarm(layer, home, REMOVAL, "now");
  // The session's row holds the count of changes, so the count is copied into the ledger before the row is removed.
  entomb(layer, home, at);
  take(layer, home, records, SESSION);
  records.delete(HEAD_BOOK, "");
  layer.delete(keys.holdback(home));
}

/**
 * Throws if messages of the session are held back. They were accepted, so the turn must apply these messages before it removes
 * the session.
 */
function checkNothingWaits(layer: Layer, home: Address): void {
  if (Object.keys(allWaiting(layer, home)).length === 0) return;
  throw new InvariantViolation(
    "STILL_WAITING",
    `The engine was about to remove the session ${home} while messages of that session waited for earlier ones.`,
    "Report this as a defect; the session was kept.",
  );
}

/**
 * The first pages of the books that must be removed, without the session's book `head`. The book with the ids of removed actors
 * is not removed: it remains as long as their tombstones.
 */
function pagesOf(records: SessionRecords): readonly Page[] {
  const found: Page[] = [];
  for (const page of records.pages()) if (page[0] !== GONE_BOOKS && found.push(page) >= BOOKS_MAX) break;
  return found;
}
