// Results
// Finding the call that a result, a deferral, a permission or a whole batch of results is about.
//
//   Owns:          the order of preference for results; closing a batch by the client's own list.
//   Does not own:  what a result says (outcomes), results that come too early (orphans), a call's states.
//
// C3. Seen only in the client's list: without a Pre it was invalid, with one its result went unreported. Entries without
//     ids beyond what late evidence looks back to make no call up while the batch has calls that no entry stands for.

import { batches, type CallBook, calls } from "../books.ts";
import { denialOnArrival } from "../cascade.ts";
import {
  CLOSED_KEPT,
  findById,
  findClosed,
  findInLine,
  type Found,
  openLike,
  takeUnlisted,
} from "../correlation.ts";
import type { AgentId, BatchId, CallId } from "../ids.ts";
import type { CallRef, SourceInput, ToolBatch, ToolDeferred, ToolPermission } from "../inputs.ts";
import { closeBatch } from "./agents.ts";
import { isDeniedOnArrival } from "./binding.ts";
import { keepOrphan } from "./orphans.ts";
import { apply, type Result, resultOf } from "./outcomes.ts";
import { speaker } from "./parents.ts";
import { isGone, isOpen, type Scene, tellCall } from "./scene.ts";
import { enter, findNamed } from "./calls.ts";

/** The call a result is about. Without an id: by input, then a repeat of a known result, then by name. */
function findResulted(
  scene: Scene,
  agentId: AgentId,
  input: SourceInput & { readonly call: CallRef },
): Found | undefined {
  const { records, digest } = scene;
  const ref = input.call;
  if (ref.toolUseId !== undefined) return findById(records, ref) ?? findNamed(scene, agentId, ref);
  const open = findInLine(records, digest, agentId, ref, ["started", "announced"]);
  if (open?.match.how === "input") return open;
  const result = resultOf(input);
  return (
    findClosed(records, digest, agentId, ref, (call) => call.result === "" || call.result === result) ?? open
  );
}

export function toolResult(scene: Scene, input: Result): void {
  const { records } = scene;
  const agentId = speaker(scene, input);
  const found = findResulted(scene, agentId, input);
  const call = found && calls.get(records, found.id);
  if (!found || !call)
    return isGone(scene, input.call.toolUseId) ? undefined : keepOrphan(scene, agentId, input);
  apply(scene, found.id, call, input);
}

export function toolDeferred(scene: Scene, input: ToolDeferred): void {
  const found = findResulted(scene, speaker(scene, input), input);
  if (found)
    tellCall(scene, found.id, {
      type: "deferred",
      at: scene.at,
      until: scene.at + scene.policy.deferredMs,
    });
  else scene.rejection = "no call fits this deferral";
}

export function toolPermission(scene: Scene, input: ToolPermission): void {
  const found = findResulted(scene, speaker(scene, input), input);
  if (!found) return;
  const { decision, source, reason } = input;
  const permission = { decision, source, ...(reason !== undefined && { reason }) };
  tellCall(scene, found.id, { type: "amended", at: scene.at, permission });
}

/** All calls of one message, in call order: fixes their places, and closes those that got no result (C3). */
export function toolBatch(scene: Scene, input: ToolBatch): void {
  const { records, at } = scene;
  const agentId = speaker(scene, input);
  const claimed = new Set<CallId>();
  const found = input.calls.map((ref) => {
    const id = inBatch(scene, agentId, ref, claimed);
    if (id !== undefined) claimed.add(id);
    return id;
  });
  const told = withUnseen(scene, input.calls, found);
  for (const [index, ref] of input.calls.entries()) {
    const known = told[index];
    if (known === UNSEEN) continue;
    const id = known ?? enter(scene, { agentId, ref, input, match: listed(ref), place: index });
    claimed.add(id);
    const call = calls.get(records, id);
    if (!call) continue;
    if (call.index !== index) {
      calls.set(records, id, { ...call, index });
      tellCall(scene, id, { type: "placed", at, index });
    }
    if (!isOpen(call) || isDeniedOnArrival(scene, call)) continue;
    if (!known && denialOnArrival(batches.get(records, call.batchId), index)) continue;
    if (call.hadPre) tellCall(scene, id, { type: "missed", at, cause: "unreported", evidence: "batch" });
    else tellCall(scene, id, { type: "failed", at, error: "invalid" });
  }
  if (claimed.size === 0) closeBatch(scene, agentId);
  for (const batchId of new Set([...claimed].map((id) => calls.get(records, id)?.batchId))) {
    const batch = batchId && batches.get(records, batchId);
    if (batch) batches.set(records, batchId, { ...batch, ordered: true, closed: true });
  }
}

/** Stands for a call that late evidence does not look back to. */
const UNSEEN = Symbol();

/**
 * Late evidence looks back to a few closed calls of one input. Entries alike beyond those stand for older calls of the
 * batch that no other entry stands for, while it has such: the first of them, as older calls came first.
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

const listed = (ref: CallRef) =>
  ({ how: ref.toolUseId === undefined ? "input" : "id", ambiguous: false, candidates: 1 }) as const;

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
  const closed = findClosed(records, digest, agentId, ref, fits);
  if (closed) return closed.id;
  for (const id of openLike(records, digest, agentId, ref)) if (!claimed.has(id)) return id;
  return takeUnlisted(records, digest, agentId, ref, fits);
}

function ofNewest(scene: Scene, agentId: AgentId, call: CallBook): boolean {
  const batch = batches.get(scene.records, call.batchId);
  return batch?.agentId === agentId && !batch.ordered;
}
