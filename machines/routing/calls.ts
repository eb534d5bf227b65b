// Calls
// Enters each new call into the session's books, and moves the call from its announcement to its start.
//
//   Owns:          entering a call with its id, batch and request; finding a call that was entered under another id.
//   Does not own:  results (results), approvals (approvals/approvals).
//
// C1.   An announcement creates and queues a call in one turn. If a call's start is reported without an announcement, the call is
//     first announced.
// S0.14 A call that is reported without an id gets an id made of its content and of how often this content was seen. So a replay
//     gives the call the same id.

import { batches, type CallBook, calls, head, occurrences, setHead, workOf } from "../books.ts";
import { fallOnArrival } from "../cascade.ts";
import { defined } from "../defined.ts";
import { advance, alias, findById, findClosed, findInLine, register } from "../matching/correlation.ts";
import { type Found, likeness } from "../queues/queue-keys.ts";
import { findUnnamed } from "../matching/nameless-calls.ts";
import type { AgentId, CallId, RequestId } from "../ids.ts";
import type { CallRef, SourceInput, ToolAnnounced, ToolStarted } from "../inputs.ts";
import { type Match, sole } from "../facts/call-facts.ts";
import { joinBatch, knownBatch, nameBatch, openBatch, openCall, openPastCall } from "./agents.ts";
import { asksAnother, bindEnded, bindNamed, bindWaiting } from "./approvals/binding.ts";
import { startSeen } from "./doubts.ts";
import { showStart } from "./approvals/evidence.ts";
import { fallen } from "./outcomes.ts";
import { parentCall } from "./parents.ts";
import { takePermit } from "./approvals/permits.ts";
import { staleOthers } from "./approvals/approvals.ts";
import { isGone, isOpen, requestIsOpen, type Scene, spawnCall, tellCall, touch } from "./scene.ts";
import { knownRequest, requestForCall } from "./requests.ts";
import { intentBook, intentOf, learnIntent } from "./words.ts";

interface Announcement {
  readonly agentId: AgentId;
  readonly ref: CallRef;
  readonly input: SourceInput;
  readonly match: Match;
  /** Present if a PreToolUse reported the call: the call is then started. Otherwise the call is only announced. */
  readonly stage?: "started";
  readonly place?: number;
  /** The call's request when its message arrived, if the message had to wait before it was applied. */
  readonly requestId?: RequestId | undefined;
  /** The call's request of the past, if the call was made before the session's process began (PAST-2). */
  readonly past?: RequestId;
}

function newId(scene: Scene, agentId: AgentId, ref: CallRef): CallId {
  if (ref.toolUseId !== undefined) return ref.toolUseId as CallId;
  const parts = [agentId, ref.tool ?? "", ref.input?.hash ?? ""];
  const key = scene.digest("n_", parts);
  const n = occurrences.get(scene.records, key) ?? 0;
  occurrences.set(scene.records, key, n + 1);
  return scene.digest("c_", [scene.sessionId, ...parts, String(n)]) as CallId;
}

export function enter(scene: Scene, announcement: Announcement): CallId {
  const { agentId, ref, input, match, place, stage, past, requestId: before } = announcement;
  const { records, at } = scene;
  const messageId = input.type === "tool.announced" ? input.messageId : undefined;
  const home = knownBatch(scene, agentId, messageId);
  const homeBatch = home === undefined ? undefined : batches.get(records, home);
  const requestId = homeBatch?.requestId ?? past ?? requestForCall(scene, agentId, input, before);
  const isPast = past !== undefined;
  const { id: batchId, index: last } = joinBatch(scene, agentId, requestId, messageId, isPast);
  const index = place ?? last;
  const id = newId(scene, agentId, ref);
  const tool = ref.tool ?? "unknown";
  const parentCallId = parentCall(records, agentId);
  const { toolUseId } = ref;
  const hash = ref.input?.hash;
  const intent = intentOf(scene, agentId, requestId, input);
  const book: CallBook = {
    agentId,
    tool,
    requestId,
    batchId,
    index,
    stage: stage ?? "announced",
    hadPre: false,
    asked: false,
    allowed: false,
    deferred: false,
    result: "",
    ...defined({ hash, startedOn: showsStart(scene, input) ? hash : undefined, toolUseId }),
    ...(intent && intentBook(intent)),
    ...(input.type === "tool.announced" && { announcedBy: [scene.channel] }),
    ...(isPast && { past: true as const }),
  };
  register(records, scene.digest, id, book);
  if (isPast) openPastCall(scene, agentId, id);
  else openCall(scene, agentId, id);
  const { calls: count, openCalls } = head(records);
  setHead(records, { calls: count + 1, openCalls: openCalls + 1 });
  spawnCall(scene, {
    id,
    requestId,
    agentId,
    batchId,
    index,
    tool,
    match,
    at,
    ...defined({ input: ref.input, toolUseId, parentCallId, intent, observedAt: input.observedAt }),
  });
  tellCall(scene, id, { type: "announced", at });
  if (!isPast) settle(scene, id, book, ref, input.type === "tool.announced" ? scene.channel : undefined);
  else if (!requestIsOpen(scene, requestId)) tellCall(scene, id, { type: "missed", at, ...UNKNOWN });
  takePermit(scene, id, toolUseId);
  return id;
}

/** True if a message shows the input with which its call runs. A client, but no service, may still change an announced input. */
const showsStart = ({ channel }: Scene, { type }: SourceInput): boolean =>
  type === "tool.started" || (type === "tool.announced" && channel === type);

function learnStart(scene: Scene, id: CallId, input: ToolAnnounced | ToolStarted): void {
  const call = calls.get(scene.records, id);
  const hash = input.call.input?.hash;
  if (!call || hash === undefined || call.startedOn !== undefined || !showsStart(scene, input)) return;
  calls.set(scene.records, id, { ...call, startedOn: hash });
  showStart(scene, id);
}

/** Applies what happened before a new call was seen: a denial of its batch (I-11), its approval, or its request's end. */
function settle(scene: Scene, id: CallId, book: CallBook, ref: CallRef, announcedBy?: string): void {
  const { records, at } = scene;
  const batch = batches.get(records, book.batchId);
  const fall = fallOnArrival(records, batch, book.index, announcedBy);
  // A denial of the call itself says more than an interruption, or the end of the call's request, so it is looked for first.
  const isMissed = fall === "interrupted";
  if (fall && !isMissed) tellCall(scene, id, fallen(fall, at));
  const isDenied = bindWaiting(scene, book.agentId, id, ref);
  if (isMissed && !isDenied) tellCall(scene, id, fallen(fall, at));
  const isOver = isDenied || fall !== undefined;
  if (!isOver && !requestIsOpen(scene, book.requestId) && batch?.closed) {
    tellCall(scene, id, { type: "missed", at, ...(batch.lost ?? UNKNOWN) });
  }
}

const UNKNOWN = { cause: "unknown", evidence: "request-closed" } as const;

export function findNamed(scene: Scene, agentId: AgentId, ref: CallRef): Found | undefined {
  const known = findById(scene.records, ref);
  if (known || ref.toolUseId === undefined) return known;
  const { records, digest } = scene;
  const unnamed = findUnnamed(records, likeness(digest, agentId, ref));
  const call = unnamed && calls.get(records, unnamed.id);
  if (!unnamed || !call) return undefined;
  alias(records, digest, unnamed.id, call, ref.toolUseId);
  const { match } = unnamed;
  const guess = match.ambiguous ? { match } : {};
  tellCall(scene, unnamed.id, { type: "amended", at: scene.at, toolUseId: ref.toolUseId, ...guess });
  bindNamed(scene, unnamed.id, ref.toolUseId);
  takePermit(scene, unnamed.id, ref.toolUseId);
  return unnamed;
}

export function toolAnnounced(scene: Scene, agentId: AgentId, input: ToolAnnounced): CallId | undefined {
  const { records } = scene;
  const ref = input.call;
  const known = findNamed(scene, agentId, ref);
  if (!known) {
    if (isGone(scene, ref.toolUseId)) return undefined;
    const id = enter(scene, { agentId, ref, input, match: startMatch(ref) });
    scene.atWork = id;
    touchCall(scene, id);
    return id;
  }
  const call = calls.get(records, known.id);
  if (!call) return undefined;
  nameBatch(scene, agentId, call.batchId, input.messageId);
  touch(scene, call.requestId);
  announce(scene, known.id, call);
  learnStart(scene, known.id, input);
  learnIntent(scene, known.id, call, input);
  return known.id;
}

function announce({ records, channel }: Scene, id: CallId, call: CallBook): void {
  const { announcedBy = [] } = call;
  if (!announcedBy.includes(channel))
    calls.set(records, id, { ...call, announcedBy: [...announcedBy, channel] });
}

function touchCall(scene: Scene, id: CallId): void {
  const call = calls.get(scene.records, id);
  if (call) touch(scene, call.requestId);
}

export function toolStarted(scene: Scene, agentId: AgentId, input: ToolStarted): CallId | undefined {
  const { records, digest, at } = scene;
  const ref = input.call;
  const named = findNamed(scene, agentId, ref);
  const found = named ?? (ref.toolUseId === undefined ? findUnstarted(scene, agentId, input) : undefined);
  if (!found && isGone(scene, ref.toolUseId)) return undefined;
  const id = found?.id ?? enter(scene, { agentId, ref, input, match: startMatch(ref), stage: "started" });
  const call = takenUp(scene, id, ref);
  if (!call) return undefined;
  const match = found && found.match.how !== "id" ? { match: found.match } : {};
  tellCall(scene, id, { type: "started", at, ...match });
  touch(scene, call.requestId);
  if (call.stage === "closed") {
    startLate(scene, id, call, input);
    learnStart(scene, id, input);
    if (found) learnIntent(scene, id, call, input);
    return id;
  }
  scene.atWork = id;
  const next = advance(records, digest, id, call, "started");
  calls.set(records, id, { ...next, hadPre: true });
  learnStart(scene, id, input);
  if (call.listed && !call.hadPre) startSeen(scene, call.requestId);
  if (found) learnIntent(scene, id, call, input);
  if (input.oneByOne && (!call.hadPre || call.deferred)) staleOthers(scene, agentId, id);
  return id;
}

function takenUp(scene: Scene, id: CallId, ref: CallRef): CallBook | undefined {
  const { records, digest } = scene;
  const known = calls.get(records, id);
  if (!known?.past) return known;
  const { past: _, ...call } = known;
  if (!isOpen(call)) calls.set(records, id, call);
  else {
    register(records, digest, id, call);
    bindWaiting(scene, call.agentId, id, ref);
  }
  return calls.get(records, id);
}

function startLate(scene: Scene, id: CallId, call: CallBook, input: ToolStarted): void {
  const { records, channel } = scene;
  const requestId = knownRequest(scene, call.agentId, input) ?? call.requestId;
  const isGuess = input.call.toolUseId === undefined && requestIsOpen(scene, call.requestId);
  const isOver = call.resultOn?.includes(channel) === true;
  const again = call.hadPre && call.result === "" ? { again: true as const } : {};
  calls.set(records, id, {
    ...call,
    hadPre: true,
    ...again,
    ...(!isOver && { late: { channel, requestId, ...(isGuess && { isGuess }) } }),
  });
  if (call.listed && !call.hadPre) startSeen(scene, call.requestId);
  bindEnded(scene, id, input.call, requestId);
}

const startMatch = ({ toolUseId, input }: CallRef): Match =>
  sole(toolUseId !== undefined ? "id" : input === undefined ? "name" : "input");

/** Finds the announced call that a PreToolUse without an id starts. A late start may be about a closed call of the same work. */
function findUnstarted(scene: Scene, agentId: AgentId, input: ToolStarted): Found | undefined {
  const { records, digest } = scene;
  const ref = input.call;
  const like = likeness(digest, agentId, ref);
  const open = findInLine(records, like, ["announced"]);
  if (open && (open.match.how === "input" || ref.input === undefined)) return open;
  const known = knownRequest(scene, agentId, input);
  const work = known && workOf(records, known);
  const isOfWork = (id: RequestId): boolean => workOf(records, id) === work;
  // Another source may already have reported a call of the open batch with its id, and as ended. A start without an id then
  // counts as a late report about this call (`isTold`). Two exceptions: a call that failed or was only listed may be made
  // again, and an approval that waits for its call shows that a further call is to come.
  const inHand = asksAnother(scene, agentId, ref, known) ? undefined : openBatch(scene, agentId);
  const isTold = ({ batchId, toolUseId, listed, denied, result }: CallBook): boolean =>
    batchId === inHand && toolUseId !== undefined && !listed && (denied === true || result.startsWith("+"));
  const isOver = (call: CallBook): boolean => !requestIsOpen(scene, call.requestId) || isTold(call);
  const fits = (call: CallBook): boolean => !call.hadPre && isOver(call) && isOfWork(call.requestId);
  return findClosed(records, like, fits);
}
