// Doubts
// Calls that the client's list names without a result: what follows from the lists of a request, once they are known whole.
//
//   Owns:          which calls are in doubt, and when they count as denied.
//   Does not own:  reading a list (listing), what moves a denied call (tool call).
//
// C4. A call that was seen to start and is listed without a result was denied: nothing tells of a denial but this. This
//     holds only where every listed call of the request was seen to start, as otherwise messages were lost, perhaps the
//     result; and only of a call with an id, as without one its result may have been taken for another's.
// I-24. It is the same whether a list comes before the starts or after them: a list that shows that messages were lost
//     takes back what was concluded before.

import { type CallBook, calls, type RequestBook, requests } from "../books.ts";
import { all, type Deque, EMPTY, push, remove } from "../queues/deque.ts";
import type { CallId, RequestId } from "../ids.ts";
import type { Records } from "../records.ts";
import { showNotRun } from "./evidence.ts";
import { type Scene, tellCall } from "./scene.ts";

const keyOf = (requestId: RequestId): string => `doubted/${requestId}`;

/** Notes that a list names a call, once. */
export function doubt(scene: Scene, id: CallId, call: CallBook): void {
  const { records } = scene;
  const { requestId } = call;
  const book = requests.get(records, requestId);
  if (!book || call.listed) return;
  calls.set(records, id, { ...call, listed: true });
  const { unstarted = 0, doubted = EMPTY } = book;
  requests.set(records, requestId, {
    ...book,
    unstarted: unstarted + (call.hadPre ? 0 : 1),
    ...(call.result === "" && { doubted: push(records, keyOf(requestId), doubted, id) }),
  });
  if (unstarted === 0 && !call.hadPre) takeBack(scene, requestId);
}

/** Notes that a listed call was seen to start after all. */
export function startSeen(scene: Scene, requestId: RequestId): void {
  const book = requests.get(scene.records, requestId);
  if (!book) return;
  requests.set(scene.records, requestId, { ...book, unstarted: Math.max(0, (book.unstarted ?? 1) - 1) });
  conclude(scene, requestId);
}

/** Whether every listed call was seen to start. */
const isWhole = ({ records }: Scene, requestId: RequestId): boolean =>
  requests.get(records, requestId)?.unstarted === 0;

/** Whether a call in doubt counts as denied. */
export const isInferred = (scene: Scene, { hadPre, toolUseId, result, requestId }: CallBook): boolean =>
  hadPre && toolUseId !== undefined && result === "" && isWhole(scene, requestId);

function* inDoubt({ records }: Scene, requestId: RequestId): Generator<readonly [CallId, CallBook]> {
  const ids = [...all(records, keyOf(requestId), requests.get(records, requestId)?.doubted)] as CallId[];
  for (const id of ids) {
    const call = calls.get(records, id);
    if (call) yield [id, call];
  }
}

/** Denies the calls in doubt, where the lists are whole. */
export function conclude(scene: Scene, requestId: RequestId): void {
  const { records, at } = scene;
  for (const [id, call] of inDoubt(scene, requestId)) {
    if (call.inferred || !isInferred(scene, call)) continue;
    calls.set(records, id, { ...call, inferred: true });
    const denial = { cause: "inferred", inferredFrom: "batch", predicted: true } as const;
    tellCall(scene, id, { type: "denied", at, denial });
    showNotRun(scene, id);
  }
}

function takeBack(scene: Scene, requestId: RequestId): void {
  const { records, at } = scene;
  for (const [id, call] of inDoubt(scene, requestId)) {
    const { inferred, ...rest } = call;
    if (!inferred) continue;
    calls.set(records, id, rest);
    if (call.result === "")
      tellCall(scene, id, { type: "missed", at, cause: "unreported", evidence: "loss" });
  }
}

/** Takes away what a request remembers of calls in doubt; its own book is the caller's. */
export function forgetDoubts(records: Records, requestId: RequestId, { doubted }: RequestBook): void {
  forgetLine(records, keyOf(requestId), doubted);
}

/** The same for a batch, which remembered them in an older version. */
export function forgetOldDoubts(records: Records, batchId: string, doubted: Deque | undefined): void {
  forgetLine(records, `batch/${batchId}/doubted`, doubted);
}

function forgetLine(records: Records, key: string, doubted: Deque | undefined): void {
  let left = doubted ?? EMPTY;
  for (const id of [...all(records, key, doubted)]) left = remove(records, key, left, id);
}
