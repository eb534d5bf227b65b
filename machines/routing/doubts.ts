// Doubts
// Decides whether a call that the client's list names without a result was denied, once all lists of its request are known.
//
//   Owns:          which calls are in doubt (listed without a result), and when a call in doubt counts as denied.
//   Does not own:  reading a list (listing), the states of a denied call (tool-call).
//
// C4. A call that started, and that the client's list names without a result, was denied, because the client reports some denials
//       in no other way. Three conditions must hold. Every listed call of the request was seen to start; otherwise messages were
//       lost, perhaps also the result. The call has an id; otherwise its result may have been matched with another call. If the
//       list shows what the model read, that text is a refusal: the client's own words for one, or any text about a call with an
//       approval that nobody is known to have allowed. A deferred call was not denied.
// I-24. The list and other messages about its calls may come in any order. If evidence shows that a call may have run, the call
//       no longer counts as denied.

import { type CallBook, calls, type RequestBook, requests } from "../books.ts";
import { all, type Deque, EMPTY, push, remove } from "../queues/deque.ts";
import type { CallId, RequestId } from "../ids.ts";
import type { ListedCall } from "../inputs.ts";
import type { Records } from "../records.ts";
import { showNotRun } from "./approvals/evidence.ts";
import { type Scene, tellCall } from "./scene.ts";

const keyOf = (requestId: RequestId): string => `doubted/${requestId}`;

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

export function startSeen(scene: Scene, requestId: RequestId): void {
  const book = requests.get(scene.records, requestId);
  if (!book) return;
  requests.set(scene.records, requestId, { ...book, unstarted: Math.max(0, (book.unstarted ?? 1) - 1) });
  conclude(scene, requestId);
}

const isWhole = ({ records }: Scene, requestId: RequestId): boolean =>
  requests.get(records, requestId)?.unstarted === 0;

export const isInferred = (scene: Scene, call: CallBook): boolean =>
  call.hadPre &&
  call.toolUseId !== undefined &&
  call.result === "" &&
  call.deferredOn === undefined &&
  isRefused(call) &&
  isWhole(scene, call.requestId);

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

export function doubtAgain(scene: Scene, id: CallId): void {
  const call = calls.get(scene.records, id);
  if (call?.listed) conclude(scene, call.requestId);
}

/** Counts listed calls without a result as denied if nothing else can have ended them, and takes wrong conclusions back. */
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

export function forgetDoubts(records: Records, requestId: RequestId, { doubted }: RequestBook): void {
  forgetLine(records, keyOf(requestId), doubted);
}

/** Removes the list of doubted calls that an older version stored with the batch. */
export function forgetOldDoubts(records: Records, batchId: string, doubted: Deque | undefined): void {
  forgetLine(records, `batch/${batchId}/doubted`, doubted);
}

function forgetLine(records: Records, key: string, doubted: Deque | undefined): void {
  let left = doubted ?? EMPTY;
  for (const id of [...all(records, key, doubted)]) left = remove(records, key, left, id);
}
