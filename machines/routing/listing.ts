// Listing
// Handles the client's list of the calls of one message, above all the listed calls without a result.
//
//   Owns:          finding the listed calls; setting the order of a batch's calls; closing listed calls without a result.
//   Does not own:  deciding which listed calls were denied (doubts), the results of calls (results).
//
// C3. If a listed call has no result, it gets the result that waits for it (orphans). If no result waits, the call failed if the
//       list gives an error, and is in doubt otherwise (doubts). A waiting result with another input belongs to the call only if
//       the result fits no other listed call. An entry without an id creates no call while the batch has calls that no entry
//       names.

import { batches, type CallBook, calls } from "../books.ts";
import { sole } from "../facts/call-facts.ts";
import { CLOSED_KEPT, findClosed, openLike } from "../matching/correlation.ts";
import { takeUnlisted } from "../matching/nameless-calls.ts";
import { likeness } from "../queues/queue-keys.ts";
import type { AgentId, BatchId, CallId } from "../ids.ts";
import type { CallRef, ListedCall, ToolBatch } from "../inputs.ts";
import { closeBatch } from "./agents.ts";
import { isDeniedOnArrival } from "./approvals/binding.ts";
import { enter, findNamed } from "./calls.ts";
import { conclude, doubt, isInferred } from "./doubts.ts";
import { adoptOrphans, joinOrphan } from "./orphans.ts";
import { isClosing, isOpen, type Scene, tellCall, touch } from "./scene.ts";

export function toolBatch(scene: Scene, agentId: AgentId, input: ToolBatch): void {
  const { records } = scene;
  const claimed = new Set<CallId>();
  const found = input.calls.map((ref) => {
    const id = inBatch(scene, agentId, ref, claimed);
    if (id !== undefined) claimed.add(id);
    return id;
  });
  const told = withUnseen(scene, input.calls, found);
  const open: CallId[] = [];
  for (const [index, ref] of input.calls.entries()) {
    const known = told[index];
    if (known === UNSEEN) continue;
    const match = sole(ref.toolUseId === undefined ? "input" : "id");
    const id = known ?? enter(scene, { agentId, ref, input, match, place: index });
    claimed.add(id);
    place(scene, id, index);
    if (known === undefined) joinOrphan(scene, ref, id);
    if (tellEntry(scene, id, ref, known === undefined)) open.push(id);
  }
  adoptOrphans(scene, agentId, open);
  if (claimed.size === 0) closeBatch(scene, agentId);
  for (const batchId of new Set([...claimed].map((id) => calls.get(records, id)?.batchId))) {
    const batch = batchId && batches.get(records, batchId);
    if (!batch) continue;
    batches.set(records, batchId, { ...batch, ordered: true, closed: true });
  }
  for (const requestId of new Set([...claimed].map((id) => calls.get(records, id)?.requestId)))
    if (requestId !== undefined) conclude(scene, requestId);
  for (const id of open) giveUp(scene, id);
}

function place(scene: Scene, id: CallId, index: number): void {
  const call = calls.get(scene.records, id);
  if (!call || call.index === index) return;
  calls.set(scene.records, id, { ...call, index });
  tellCall(scene, id, { type: "placed", at: scene.at, index });
}

/** Applies one entry of the client's list to its call. @returns true if the call is open and may have been denied. */
function tellEntry(scene: Scene, id: CallId, ref: ListedCall, isNew: boolean): boolean {
  const { records, at } = scene;
  const call = calls.get(records, id);
  if (!call) return false;
  if (ref.error !== undefined) {
    if (call.result !== "") return false;
    touch(scene, call.requestId);
    calls.set(records, id, { ...call, result: "-" });
    tellCall(scene, id, { type: "failed", at, error: ref.error, evidence: "batch" });
    return false;
  }
  doubt(scene, id, call, ref.told);
  if (!isOpen(call) || call.deferred || call.result !== "" || isDeniedOnArrival(scene, call)) return false;
  return !isNew || !isClosing(scene, id);
}

function giveUp(scene: Scene, id: CallId): void {
  const call = calls.get(scene.records, id);
  if (call && call.result === "" && !isInferred(scene, call))
    tellCall(scene, id, { type: "missed", at: scene.at, cause: "unreported", evidence: "batch" });
}

/**
 * The entry of a list that gets `UNSEEN` is about a closed call that can no longer be found by its input, because 16 newer
 * calls with this input are closed (CLOSED_KEPT).
 */
const UNSEEN = Symbol();

/**
 * Matches the client's list with known calls. If the list has more equal calls than can be found by their input, the first
 * of them get `UNSEEN`: their calls are closed already, and too old to be found.
 */
function withUnseen(
  { records }: Scene,
  refs: readonly CallRef[],
  found: readonly (CallId | undefined)[],
): readonly (CallId | typeof UNSEEN | undefined)[] {
  const told: (CallId | typeof UNSEEN | undefined)[] = [...found];
  const left = new Map<BatchId, number>();
  const alike = new Map<string, number[]>();
  for (const [index, ref] of refs.entries()) {
    const id = found[index];
    const batchId = id && calls.get(records, id)?.batchId;
    if (batchId) left.set(batchId, (left.get(batchId) ?? batches.get(records, batchId)?.size ?? 0) - 1);
    if (ref.toolUseId !== undefined || ref.input === undefined) continue;
    const key = `${ref.input.hash} ${ref.tool}`;
    const places = alike.get(key);
    if (places) places.push(index);
    else alike.set(key, [index]);
  }
  for (const places of alike.values()) {
    const ids = places.flatMap((place) => found[place] ?? []);
    const closed = ids.flatMap((id) => calls.get(records, id) ?? []).filter((call) => !isOpen(call));
    const batchId = closed[0]?.batchId;
    if (batchId === undefined || closed.length < CLOSED_KEPT || ids.length === places.length) continue;
    const room = Math.max(0, left.get(batchId) ?? 0);
    const unseen = Math.min(room, places.length - ids.length);
    left.set(batchId, room - unseen);
    for (const [nth, place] of places.entries()) told[place] = nth < unseen ? UNSEEN : ids[nth - unseen];
  }
  return told;
}

function inBatch(
  scene: Scene,
  agentId: AgentId,
  ref: CallRef,
  claimed: ReadonlySet<CallId>,
): CallId | undefined {
  const { records, digest } = scene;
  const named = findNamed(scene, agentId, ref);
  if (named || ref.toolUseId !== undefined) return named?.id;
  const fits = (call: CallBook, id: CallId): boolean => !claimed.has(id) && ofNewest(scene, agentId, call);
  const like = likeness(digest, agentId, ref);
  const closed = findClosed(records, like, fits);
  if (closed) return closed.id;
  for (const id of openLike(records, like)) if (!claimed.has(id)) return id;
  return takeUnlisted(records, like, fits);
}

function ofNewest(scene: Scene, agentId: AgentId, call: CallBook): boolean {
  const batch = batches.get(scene.records, call.batchId);
  return batch?.agentId === agentId && !batch.ordered;
}
