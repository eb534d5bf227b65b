// Doubts
// Calls that the client's list names without a result: what follows once all lists of a request are known.
//
//   Owns:          which calls are in doubt, and when they count as denied.
//   Does not own:  reading a list (listing), how a denied call moves (tool call).
//
// C4.   A call that started and is listed without a result was denied: nothing else tells of such a denial. This holds
//       only if every listed call of the request was seen to start; otherwise messages were lost, and perhaps the
//       result with them. It holds only for a call with an id; without one, its result may have been matched to another
//       call. If the list shows what the model was told, that must be a refusal: the client's own words for one, or any
//       text about a call that was asked about and that nobody is known to have allowed. A deferred call was not
//       denied.
// I-24. It makes no difference whether the list or the other messages about its calls come first: evidence that a call
//       may have run takes an earlier conclusion back.

import { type CallBook, calls, type RequestBook, requests } from "../books.ts";
import { all, type Deque, EMPTY, push, remove } from "../queues/deque.ts";
import type { CallId, RequestId } from "../ids.ts";
import type { ListedCall } from "../inputs.ts";
import type { Records } from "../records.ts";
import { showNotRun } from "./approvals/evidence.ts";
import { type Scene, tellCall } from "./scene.ts";

const keyOf = (requestId: RequestId): string => `doubted/${requestId}`;

/** Notes, once, that a list names a call. */
export function doubt(scene: Scene, id: CallId, call: CallBook, told: ListedCall["told"]): void {
  const { records } = scene;
  const { requestId } = call;
  const book = requests.get(records, requestId);
  if (!book || call.listed) return;
  calls.set(records, id, { ...call, listed: true, ...(told && { told }) });
  const { unstarted = 0, doubted = EMPTY } = book;
  requests.set(records, requestId, {
    ...book,
    unstarted: unstarted + (call.hadPre ? 0 : 1),
    ...(call.result === "" && { doubted: push(records, keyOf(requestId), doubted, id) }),
  });
}

/** Notes that a listed call was seen to start. */
export function startSeen(scene: Scene, requestId: RequestId): void {
  const book = requests.get(scene.records, requestId);
  if (!book) return;
  requests.set(scene.records, requestId, { ...book, unstarted: Math.max(0, (book.unstarted ?? 1) - 1) });
  conclude(scene, requestId);
}

/** True if every listed call was seen to start. */
const isWhole = ({ records }: Scene, requestId: RequestId): boolean =>
  requests.get(records, requestId)?.unstarted === 0;

/** True if a call in doubt counts as denied. */
export const isInferred = (scene: Scene, call: CallBook): boolean =>
  call.hadPre &&
  call.toolUseId !== undefined &&
  call.result === "" &&
  call.deferredOn === undefined &&
  isRefused(call) &&
  isWhole(scene, call.requestId);

/** True if what the model was told of a call can be a refusal. */
function isRefused({ told, asked, allowed }: CallBook): boolean {
  if (told === "refusal") return true;
  return told !== "output" && !allowed && (told === undefined || asked);
}

function* inDoubt({ records }: Scene, requestId: RequestId): Generator<readonly [CallId, CallBook]> {
  const ids = [...all(records, keyOf(requestId), requests.get(records, requestId)?.doubted)] as CallId[];
  for (const id of ids) {
    const call = calls.get(records, id);
    if (call) yield [id, call];
  }
}

/** Decides again about a call after something else was told of it. */
export function doubtAgain(scene: Scene, id: CallId): void {
  const call = calls.get(scene.records, id);
  if (call?.listed) conclude(scene, call.requestId);
}

/** Denies the calls in doubt that can have ended in no other way, and takes back conclusions that came too soon. */
export function conclude(scene: Scene, requestId: RequestId): void {
  for (const [id, call] of inDoubt(scene, requestId)) {
    const isDenied = isInferred(scene, call);
    if (isDenied && !call.inferred) infer(scene, id, call);
    else if (!isDenied && call.inferred) takeBack(scene, id, call);
  }
}

function infer(scene: Scene, id: CallId, call: CallBook): void {
  const { records, at } = scene;
  calls.set(records, id, { ...call, inferred: true });
  const denial = { cause: "inferred", inferredFrom: "batch", predicted: true } as const;
  tellCall(scene, id, { type: "denied", at, denial });
  showNotRun(scene, id);
}

function takeBack(scene: Scene, id: CallId, { inferred: _, ...call }: CallBook): void {
  const { records, at } = scene;
  calls.set(records, id, call);
  if (call.result === "") tellCall(scene, id, { type: "missed", at, cause: "unreported", evidence: "loss" });
}

/** Removes what a request remembers of calls in doubt. The caller removes the request's own book. */
export function forgetDoubts(records: Records, requestId: RequestId, { doubted }: RequestBook): void {
  forgetLine(records, keyOf(requestId), doubted);
}

/** Does the same for a batch: an older version kept the doubts there. */
export function forgetOldDoubts(records: Records, batchId: string, doubted: Deque | undefined): void {
  forgetLine(records, `batch/${batchId}/doubted`, doubted);
}

function forgetLine(records: Records, key: string, doubted: Deque | undefined): void {
  let left = doubted ?? EMPTY;
  for (const id of [...all(records, key, doubted)]) left = remove(records, key, left, id);
}
