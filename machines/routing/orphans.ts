// Orphans
// Stores orphans: results that come before their call.
//
//   Owns:          how many orphans are stored, and for how long; matching an orphan with its call.
//   Does not own:  results of known calls (results).
//
// S0.11 An orphan waits for its call. If its call comes, the call gets the result. Otherwise the engine makes a call of the
//       orphan, with `match.pre: missing`, in the orphan's request. An orphan belongs to the request during which it came. A call
//       of another request gets the orphan only if the orphan names that call.
// I-37. At most 1,024 orphans wait, each for at most 60 s of journal time. Further results are dropped and counted.

import { calls, head, type OrphanBook, orphans, orphansOf, setHead, workOf } from "../books.ts";
import { sole } from "../facts/call-facts.ts";
import { findById } from "../matching/correlation.ts";
import { likeness } from "../queues/queue-keys.ts";
import { all, EMPTY, oldest, push, remove } from "../queues/deque.ts";
import type { AgentId, CallId, RequestId } from "../ids.ts";
import type { CallRef } from "../inputs.ts";
import { apply, type Result } from "./outcomes.ts";
import { speaker } from "./parents.ts";
import { isOpen, type Scene } from "./scene.ts";
import { enter } from "./calls.ts";
import { knownRequest } from "./requests.ts";

/** The keys under which orphans wait: an orphan waits under its first key, and a call finds orphans under all its keys. */
function orphanKeys(
  scene: Scene,
  agentId: AgentId,
  ref: CallRef,
  requestId: RequestId | undefined,
): readonly string[] {
  const byUse = ref.toolUseId === undefined ? [] : [`use/${ref.toolUseId}`];
  const byInput = likeness(scene.digest, agentId, ref).slice(0, 1);
  const byWork =
    requestId === undefined ? [] : byInput.map((key) => `of/${workOf(scene.records, requestId)}/${key}`);
  return [...byUse, ...byWork, ...byInput];
}

export function keepOrphan(scene: Scene, agentId: AgentId, input: Result): void {
  const { records, at, policy } = scene;
  const { orphanCount, orphans: waiting, dropped } = head(records);
  const requestId = knownRequest(scene, agentId, input);
  const [key] = orphanKeys(scene, agentId, input.call, requestId);
  if (key === undefined || waiting.size >= policy.orphansMax)
    return setHead(records, { dropped: dropped + 1 });
  const id = String(orphanCount);
  const alike = (orphansOf.get(records, key)?.size ?? 0) + 1;
  const book: OrphanBook = { at, key, input: { ...input, agentId }, ...(alike > 1 && { alike }) };
  orphans.set(records, id, requestId === undefined ? book : { ...book, requestId });
  orphansOf.set(records, key, push(records, `orphans-of/${key}`, orphansOf.get(records, key) ?? EMPTY, id));
  setHead(records, { orphanCount: orphanCount + 1, orphans: push(records, "orphans", waiting, id) });
  if (waiting.size === 0) scene.timers.push({ timer: "orphans", at: at + policy.orphanMs });
}

/** Applies to a new open call every orphan that names it, or the oldest that fits. @returns true if an orphan fitted. */
export function joinOrphan(scene: Scene, ref: CallRef, callId: CallId | undefined): boolean {
  const { records } = scene;
  const call = callId === undefined ? undefined : calls.get(records, callId);
  if (callId === undefined || !call || !isOpen(call) || head(records).orphans.size === 0) return false;
  for (const key of orphanKeys(scene, call.agentId, ref, call.requestId)) {
    let joined = false;
    for (;;) {
      const line = orphansOf.get(records, key);
      const id = oldest(line);
      const orphan = id === undefined ? undefined : orphans.get(records, id);
      if (id === undefined || !orphan) break;
      drop(scene, id, orphan.key);
      const result = orphan.input as Result;
      const candidates = Math.max(line?.size ?? 1, orphan.alike ?? 1);
      const how = result.call.input === undefined ? "name" : "input";
      const match = isNaming(result) ? undefined : ({ how, ambiguous: candidates > 1, candidates } as const);
      apply(scene, callId, calls.get(records, callId) ?? call, result, match);
      joined = true;
      if (!isNaming(result)) break;
    }
    if (joined) return true;
  }
  return false;
}

const isNaming = ({ call }: Result): boolean => call.toolUseId !== undefined;

/**
 * Matches an orphan with a listed call whose input the client rewrote, if the list has only one call of the tool without a
 * result, and only one orphan of that tool waits.
 */
export function adoptOrphans(scene: Scene, agentId: AgentId, listed: readonly CallId[]): void {
  const { records } = scene;
  if (listed.length === 0 || head(records).orphans.size === 0) return;
  const nameless = listed.filter((id) => calls.get(records, id)?.toolUseId === undefined);
  for (const callId of nameless) {
    const call = calls.get(records, callId);
    if (!call || nameless.filter((id) => calls.get(records, id)?.tool === call.tool).length > 1) continue;
    const fits = [...all(records, "orphans", head(records).orphans)].filter((id) => {
      const { requestId, input } = orphans.get(records, id) ?? {};
      const ref = (input as Result | undefined)?.call;
      const ofWork =
        requestId === undefined || workOf(records, requestId) === workOf(records, call.requestId);
      return (
        ref && ref.toolUseId === undefined && input?.agentId === agentId && ref.tool === call.tool && ofWork
      );
    });
    const [only] = fits;
    const orphan = only === undefined || fits.length > 1 ? undefined : orphans.get(records, only);
    if (only === undefined || !orphan) continue;
    drop(scene, only, orphan.key);
    apply(scene, callId, call, orphan.input as Result, sole("name"));
  }
}

function drop(scene: Scene, id: string, key: string): void {
  const { records } = scene;
  orphans.delete(records, id);
  const rest = remove(records, `orphans-of/${key}`, orphansOf.get(records, key) ?? EMPTY, id);
  if (rest.size > 0) orphansOf.set(records, key, rest);
  else orphansOf.delete(records, key);
  setHead(records, { orphans: remove(records, "orphans", head(records).orphans, id) });
}

/** Creates a call for each orphan that waited too long, or for every orphan when the session ends. */
export function releaseOrphans(scene: Scene, overdueOnly: boolean): void {
  const { records, at, policy } = scene;
  for (let id = oldest(head(records).orphans); id !== undefined; id = oldest(head(records).orphans)) {
    const orphan = orphans.get(records, id);
    if (orphan && overdueOnly && at - orphan.at < policy.orphanMs) {
      scene.timers.push({ timer: "orphans", at: orphan.at + policy.orphanMs });
      return;
    }
    if (!orphan) return;
    drop(scene, id, orphan.key);
    release(scene, orphan.input as Result, orphan.requestId);
  }
  scene.timers.push({ timer: "orphans", at: undefined });
}

function release(scene: Scene, input: Result, requestId: RequestId | undefined): void {
  const agentId = speaker(scene, input);
  const match = { ...sole(isNaming(input) ? "id" : "input"), pre: "missing" } as const;
  const { call: ref } = input;
  const id = findById(scene.records, ref)?.id ?? enter(scene, { agentId, ref, input, match, requestId });
  const call = calls.get(scene.records, id);
  if (call) apply(scene, id, call, input);
}
