// Requests
// Finds the request that a message belongs to; opens and closes requests, and moves them between their states.
//
//   Owns:          which requests are opened (R1, R3): by a prompt, by a service, as a continuation, by a call without a request.
//   Does not own:  what the end of a request closes (closing).
//
// R1. A prompt creates, queues and begins its request in one turn. If the agent goes on working after the end of its request, the
//     engine opens a continuation.
// R3. Only a prompt or `request.created` creates a request with a chosen id. Calls without a request share one request, which the
//       first of these calls opens. If the id that a source chose for a request is already used, the message is refused. If the
//       id of a prompt is already used, the engine makes another id.

import { agentOf, gone, head, prompts, type RequestBook, requests, setHead } from "../books.ts";
import { defined } from "../defined.ts";
import { oldest, push, remove } from "../queues/deque.ts";
import { type AgentId, isId, MAIN_AGENT, type RequestId } from "../ids.ts";
import type {
  PromptSubmitted,
  RequestCallback,
  RequestCreated,
  RequestMoved,
  SourceInput,
} from "../inputs.ts";
import type { RequestInput } from "../facts/request-facts.ts";
import { setAgent } from "./agents.ts";
import { askedBy, title } from "./asked.ts";
import { abandonRequests, closeCalls, closeRequest, isBehind, leaveBehind } from "./closing.ts";
import { givenBy } from "./past-marks.ts";
import {
  isGone,
  promptOf,
  reject,
  requestIsOpen,
  type Scene,
  spawnRequest,
  tellRequest,
  touch,
} from "./scene.ts";

/** Opens a request. A request of the past does not become the session's current request. */
export function open(
  scene: Scene,
  input: Omit<RequestInput, "hungAfterMs" | "keepMs" | "at">,
  asked: Pick<RequestBook, "asked" | "askedAt" | "past"> = {},
): RequestId {
  const { records, at, policy } = scene;
  const { id, origin, promptId } = input;
  const book: RequestBook = {
    origin,
    open: true,
    pending: 0,
    deferred: 0,
    lastInputAt: at,
    continued: 0,
    ...asked,
  };
  requests.set(records, id, promptId === undefined ? book : { ...book, promptId });
  if (promptId !== undefined) prompts.set(records, promptId, id);
  const {
    requests: count,
    keptRequests,
    openRequests,
    openRequestIds,
    requestId: newest = id,
  } = head(records);
  // Messages without a prompt belong to the current request (`requestId`). While a service's request is open, its next one does
  // not become the current request before it begins.
  const waits = asked.past || (origin === "gateway" && requestIsOpen(scene, newest) && newest !== id);
  setHead(records, {
    ...(!waits && { requestId: id }),
    requests: count + 1,
    keptRequests: keptRequests + 1,
    openRequests: openRequests + 1,
    openRequestIds: push(records, "requests", openRequestIds, id),
  });
  scene.revives ||= !asked.past;
  spawnRequest(scene, { at, hungAfterMs: policy.hungAfterMs, keepMs: policy.keepMs, ...input });
  return id;
}

export function start(scene: Scene, id: RequestId): void {
  tellRequest(scene, id, { type: "queued", at: scene.at });
  begin(scene, id);
}

/** Begins a request. R2: if an approval is already pending, the request begins in the state waiting. */
function begin(scene: Scene, id: RequestId): void {
  const { records, at } = scene;
  tellRequest(scene, id, { type: "processing", at });
  const book = requests.get(records, id);
  if (!book?.open) return;
  requests.set(records, id, { ...book, begun: true });
  if (!book.past) setHead(records, { requestId: id });
  if (book.pending + book.deferred > 0) tellRequest(scene, id, { type: "blocked", at });
}

/** The existing request of a message about a call: the agent's request, or the prompt's, or else the newest request. */
export function knownRequest(scene: Scene, agentId: AgentId, input: SourceInput): RequestId | undefined {
  const { records } = scene;
  const own = agentId === MAIN_AGENT ? undefined : agentOf(records, agentId).requestId;
  if (own !== undefined && requests.get(records, own)) return own;
  const promptId = promptOf(scene, input);
  const found = promptId === undefined ? head(records).requestId : prompts.get(records, promptId);
  return found !== undefined && requests.get(records, found) ? found : undefined;
}

/** @param before the call's request when its message arrived, if the message had to wait before it was applied. */
export function requestForCall(
  scene: Scene,
  agentId: AgentId,
  input: SourceInput,
  before?: RequestId,
): RequestId {
  const { records } = scene;
  const own = agentId === MAIN_AGENT ? undefined : agentOf(records, agentId).requestId;
  if (own !== undefined && requests.get(records, own)) return own;
  const promptId = promptOf(scene, input);
  const isThere = before !== undefined && requests.get(records, before) !== undefined;
  const known = isThere ? before : knownRequest(scene, agentId, input);
  // If the prompt's request was removed, a late call of this prompt opens a request without the prompt's id: the id is not used
  // again.
  const removed = promptId !== undefined && gone.get(records, promptId) !== undefined;
  const id =
    known === undefined
      ? ofFirstSight(scene, removed ? undefined : promptId)
      : agentId === MAIN_AGENT && !isResult(input)
        ? continued(scene, known)
        : known;
  if (agentId !== MAIN_AGENT) setAgent(scene, agentId, { requestId: id });
  return id;
}

/** True for a result. A result may come late, so it does not show new work. */
const isResult = ({ type }: SourceInput): boolean =>
  type === "tool.finished" || type === "tool.failed" || type === "tool.denied" || type === "tool.lost";

/** The request id of a prompt: its own id, unless another session has that request. A fork repeats its parent's prompts. */
export function idOfPrompt(scene: Scene, promptId: string): RequestId {
  const id = promptId as RequestId;
  return scene.isTaken(id) ? (scene.digest("r_", [scene.sessionId, "prompt", id]) as RequestId) : id;
}

function ofFirstSight(scene: Scene, promptId: string | undefined): RequestId {
  const { requests: count } = head(scene.records);
  const id =
    promptId === undefined
      ? (scene.digest("r_", [scene.sessionId, String(count)]) as RequestId)
      : idOfPrompt(scene, promptId);
  open(scene, { id, origin: "implied", ...defined({ promptId }) });
  start(scene, id);
  return id;
}

function continued(scene: Scene, id: RequestId): RequestId {
  const book = requests.get(scene.records, id);
  if (!book || book.open) return id;
  const root = book.root ?? id;
  // Each continuation also stores the number of continuations, because the first request may have been removed.
  const first = requests.get(scene.records, root);
  const count = (first ?? book).continued + 1;
  const next = continuationId(scene, root, count + 1);
  if (first) requests.set(scene.records, root, { ...first, continued: count });
  const { promptId } = book;
  open(scene, { id: next, origin: book.origin, continues: id, ...defined({ promptId }) });
  touch(scene, next, { root, continued: count });
  start(scene, next);
  return next;
}

/** The id of a continuation: `<id>_<n>`, unless this text is too long for an id, or another request has this id. */
function continuationId(scene: Scene, root: RequestId, n: number): RequestId {
  const { records, digest } = scene;
  // The cast is safe: the condition below checks the id with `isId`.
  const id = `${root}_${n}` as RequestId;
  const isFree =
    isId(id) && !requests.get(records, id) && gone.get(records, id) === undefined && !scene.isTaken(id);
  return isFree ? id : (digest("r_", [root, String(n)]) as RequestId);
}

export function promptSubmitted(scene: Scene, input: PromptSubmitted): void {
  const { records, at } = scene;
  const { promptId, text } = input;
  const { promptBy, requestId: inHand } = head(records);
  const before = promptBy[scene.channel];
  const late = isBehind(scene);
  setHead(records, { promptBy: { ...promptBy, [scene.channel]: promptId } });
  title(scene, input);
  const known = prompts.get(records, promptId);
  if (known !== undefined && !waitsForPrompt(scene, known)) {
    if (requests.get(records, known)?.origin === "implied") {
      tellRequest(scene, known, { type: "prompted", at, promptId, prompt: text });
      touch(scene, known, askedBy(input));
    }
    touch(scene, known);
    if (late && before !== promptId) leaveBehind(scene, before);
    return;
  }
  if (isGone(scene, promptId)) return;
  if (late) {
    leaveBehind(scene, before);
    const id = idOfPrompt(scene, promptId);
    open(scene, { id, origin: "prompt", promptId, prompt: text }, askedBy(input));
    start(scene, id);
    if (inHand !== undefined && requestIsOpen(scene, inHand)) setHead(records, { requestId: inHand });
    return;
  }
  closeCalls(scene, MAIN_AGENT, "interrupted", "prompt");
  const gateway = known ?? oldest(head(records).gatewayRequests);
  abandonRequests(scene, gateway, "interrupted");
  if (gateway === undefined) {
    const id = idOfPrompt(scene, promptId);
    open(scene, { id, origin: "prompt", promptId, prompt: text }, givenBy(scene, input));
    start(scene, id);
    return;
  }
  adopt(scene, gateway);
  prompts.set(records, promptId, gateway);
  touch(scene, gateway, { promptId, ...givenBy(scene, input) });
  scene.revives = true;
  tellRequest(scene, gateway, { type: "prompted", at, promptId, prompt: text });
  begin(scene, gateway);
}

function waitsForPrompt(scene: Scene, id: RequestId): boolean {
  const book = requests.get(scene.records, id);
  return book?.origin === "gateway" && book.open && book.promptId === undefined;
}

function adopt(scene: Scene, id: RequestId): void {
  const { gatewayRequests } = head(scene.records);
  setHead(scene.records, { gatewayRequests: remove(scene.records, "gateway", gatewayRequests, id) });
}

export function requestCreated(scene: Scene, input: RequestCreated): void {
  const { requestId: id, chatId, prompt, model, timeoutAt } = input;
  if (requests.get(scene.records, id)) return reject(scene, `request ${id} exists already`);
  if (isGone(scene, id)) return;
  const { gatewayRequests } = head(scene.records);
  open(scene, {
    id,
    origin: "gateway",
    ...defined({ chatId, prompt, model }),
    ...(timeoutAt === undefined ? { unbegunMs: scene.policy.unbegunMs } : { timeoutAt }),
  });
  setHead(scene.records, { gatewayRequests: push(scene.records, "gateway", gatewayRequests, id) });
  prompts.set(scene.records, id, id);
}

function named(scene: Scene, id: RequestId): RequestBook | undefined {
  const book = requests.get(scene.records, id);
  if (!book && !isGone(scene, id)) scene.rejection = `request ${id} is not known in this session`;
  return book;
}

export function requestMoved(scene: Scene, input: RequestMoved): void {
  const { requestId: id, type } = input;
  const { at } = scene;
  if (!named(scene, id)) return;
  touch(scene, id);
  const { model, tokens, exitCode, output, error } = input;
  const outcome = defined({ model, tokens, exitCode, output });
  switch (type) {
    case "request.queued":
      return tellRequest(scene, id, { type: "queued", at });
    case "request.processing":
      return begin(scene, id);
    case "request.completed":
      return tellRequest(scene, id, { type: "completed", at, ...outcome });
    case "request.failed":
      return tellRequest(scene, id, { type: "failed", at, ...outcome, error: error ?? "failed" });
    case "request.cancelled":
      return closeRequest(scene, id, "cancelled");
  }
}

export function requestCallback(scene: Scene, input: RequestCallback): void {
  const { requestId: id, state, error, observedAt } = input;
  if (!named(scene, id)) return;
  touch(scene, id);
  const { at } = scene;
  const sentAt = observedAt ?? at;
  tellRequest(scene, id, { type: "callback", at, state, sentAt, ...defined({ error }) });
}

export function requestClosed(scene: Scene, id: RequestId): void {
  const { records } = scene;
  const book = requests.get(records, id);
  if (!book?.open) return;
  requests.set(records, id, { ...book, open: false });
  const { openRequests, openRequestIds } = head(records);
  setHead(records, {
    openRequests: openRequests - 1,
    openRequestIds: remove(records, "requests", openRequestIds, id),
  });
  adopt(scene, id);
}
