// Doubts
// Calls that the client's list names without a result: what follows from the list, once it is known whole.
//
//   Owns:          which calls are in doubt, and when they count as denied.
//   Does not own:  reading a list (listing), what moves a denied call (tool call).
//
// C4. A call that was seen to start and is listed without a result was denied: nothing tells of a denial but this. This
//     holds only where every call of the list was seen to start, as otherwise messages were lost, perhaps the result;
//     and only of a call with an id, as without one its result may have been taken for another's.
// I-24. It is the same whether the list comes before the starts or after them.

import { type BatchBook, batches, type CallBook, calls } from "../books.ts";
import { all, EMPTY, push, remove } from "../deque.ts";
import type { BatchId, CallId } from "../ids.ts";
import type { Records } from "../records.ts";
import { showNotRun } from "./evidence.ts";
import { type Scene, tellCall } from "./scene.ts";

const keyOf = (batchId: BatchId): string => `batch/${batchId}/doubted`;

/** Notes that the list names a call, once. */
export function doubt(scene: Scene, id: CallId, call: CallBook): void {
  const { records } = scene;
  const batch = batches.get(records, call.batchId);
  if (!batch || call.listed) return;
  calls.set(records, id, { ...call, listed: true });
  const { unstarted = 0, doubted = EMPTY } = batch;
  batches.set(records, call.batchId, {
    ...batch,
    unstarted: unstarted + (call.hadPre ? 0 : 1),
    ...(call.result === "" && { doubted: push(records, keyOf(call.batchId), doubted, id) }),
  });
}

/** Notes that a listed call was seen to start after all. */
export function startSeen(scene: Scene, batchId: BatchId): void {
  const batch = batches.get(scene.records, batchId);
  if (!batch) return;
  batches.set(scene.records, batchId, { ...batch, unstarted: (batch.unstarted ?? 1) - 1 });
  conclude(scene, batchId);
}

/** Whether every call that the list names was seen to start. */
const isWhole = (scene: Scene, batchId: BatchId): boolean =>
  batches.get(scene.records, batchId)?.unstarted === 0;

/** Whether a call in doubt counts as denied. */
export const isInferred = (scene: Scene, { hadPre, toolUseId, result, batchId }: CallBook): boolean =>
  hadPre && toolUseId !== undefined && result === "" && isWhole(scene, batchId);

/** Denies the calls in doubt, where the list is whole. */
export function conclude(scene: Scene, batchId: BatchId): void {
  const { records, at } = scene;
  const batch = batches.get(records, batchId);
  if (!batch?.doubted || !isWhole(scene, batchId)) return;
  const ids = [...all(records, keyOf(batchId), batch.doubted)] as CallId[];
  forgetDoubts(records, batchId, batch);
  const { doubted: _, ...rest } = batch;
  batches.set(records, batchId, rest);
  for (const id of ids) {
    const call = calls.get(records, id);
    if (!call || !isInferred(scene, call)) continue;
    const denial = { cause: "inferred", inferredFrom: "batch", predicted: true } as const;
    tellCall(scene, id, { type: "denied", at, denial });
    showNotRun(scene, id);
  }
}

/** Takes away what a batch remembers of calls in doubt; the batch's own book is the caller's. */
export function forgetDoubts(records: Records, batchId: BatchId, { doubted }: BatchBook): void {
  let left = doubted ?? EMPTY;
  for (const id of [...all(records, keyOf(batchId), doubted)])
    left = remove(records, keyOf(batchId), left, id);
}
