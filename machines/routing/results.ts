// Results
// What a source says became of a call.
//
//   Owns:          finding the call a result is about; reading denials (C4); results that come before their call.
//   Does not own:  the call's states (tool call).
//
// S0.11 A result without a call waits, bounded, then becomes a call of its own with `match.pre: missing`.
// C4.   The client's "user rejected" text means: asked and not allowed, interrupted, or swept along by another.

import { type BatchBook, batches, type CallBook, calls, head, orphans, setHead } from "../books.ts";
import { findById, findClosed, findInLine, type Found } from "../correlation.ts";
import { all, oldest, push, remove } from "../deque.ts";
import type { AgentId, CallId } from "../ids.ts";
import type {
  CallRef,
  SourceInput,
  ToolBatch,
  ToolDeferred,
  ToolDenied,
  ToolFailed,
  ToolFinished,
  ToolLost,
  ToolPermission,
} from "../inputs.ts";
import type { CallEvent, Denial } from "../call-facts.ts";
import { closeBatch, speaker } from "./agents.ts";
import { isGone, isOpen, type Scene, tellCall, touch } from "./scene.ts";
import { enter, findNamed } from "./tools.ts";

export type Result = ToolFinished | ToolFailed | ToolDenied | ToolLost;

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
  return findClosed(records, digest, agentId, ref, (call) => call.result === result) ?? open;
}

/** What tells one result from another: the text, short. */
function resultOf(input: SourceInput): string {
  if (input.type === "tool.finished") return `+${input.output ?? ""}`.slice(0, RESULT_MAX);
  return input.type === "tool.failed" ? `-${input.error}`.slice(0, RESULT_MAX) : "";
}
const RESULT_MAX = 120;

export function toolResult(scene: Scene, input: Result): void {
  const { records } = scene;
  const agentId = speaker(scene, input);
  const found = findResulted(scene, agentId, input);
  const call = found && calls.get(records, found.id);
  if (!found || !call)
    return isGone(scene, input.call.toolUseId) ? undefined : keepOrphan(scene, agentId, input);
  apply(scene, found.id, call, input);
}

function apply(scene: Scene, id: CallId, call: CallBook, input: Result): void {
  touch(scene, call.requestId);
  const event = eventOf(scene, id, call, input);
  const result = resultOf(input);
  if (result !== "") calls.set(scene.records, id, { ...call, result });
  tellCall(scene, id, event);
}

function eventOf(scene: Scene, id: CallId, call: CallBook, input: Result): CallEvent {
  const { at } = scene;
  switch (input.type) {
    case "tool.finished": {
      const ranInput =
        input.call.input && input.call.input.hash !== call.hash ? { ranInput: input.call.input } : {};
      const { output, durationMs } = input;
      return {
        type: "finished",
        at,
        ...(output !== undefined && { output }),
        ...(durationMs !== undefined && { durationMs }),
        ...ranInput,
      };
    }
    case "tool.failed": {
      const { error, durationMs } = input;
      return { type: "failed", at, error, ...(durationMs !== undefined && { durationMs }) };
    }
    case "tool.lost":
      return { type: "missed", at, cause: input.cause, evidence: "result" };
    case "tool.denied":
      return denied(scene, id, call, input);
  }
}

function denied(scene: Scene, id: CallId, call: CallBook, input: ToolDenied): CallEvent {
  const { at } = scene;
  const denial = input.verdict === "rejected" ? rejected(scene, id, call, input) : read(input);
  if (!denial) return { type: "missed", at, cause: "interrupted", evidence: "result" };
  return {
    type: "denied",
    at,
    denial: { ...denial, ...(input.message !== undefined && { message: input.message }) },
  };
}

const VERDICTS = {
  user: { cause: "direct", by: "user" },
  hook: { cause: "hook", by: "hook" },
  rule: { cause: "hook", by: "client-rule" },
} as const;

function read(input: ToolDenied): Denial | undefined {
  return input.verdict === "rejected" ? undefined : { ...VERDICTS[input.verdict], predicted: false };
}

/** C4: what the general rejection means for this call; undefined: it was interrupted, not denied. */
function rejected(scene: Scene, id: CallId, call: CallBook, input: ToolDenied): Denial | undefined {
  const batch = batches.get(scene.records, call.batchId);
  const first = batch?.rejected;
  if (batch && first === undefined) remember(scene, call, batch, id);
  if (call.asked) return { cause: "direct", by: "user", predicted: false };
  if (call.hadPre || input.beforeRun === false) return undefined;
  if (first !== undefined && first !== id) return { cause: "cascade", callId: first, predicted: false };
  return input.beforeRun === true ? { cause: "direct", by: "user", predicted: false } : undefined;
}

function remember(scene: Scene, call: CallBook, batch: BatchBook, id: CallId): void {
  batches.set(scene.records, call.batchId, { ...batch, rejected: id });
}

export function toolDeferred(scene: Scene, input: ToolDeferred): void {
  const found = findResulted(scene, speaker(scene, input), input);
  if (found) tellCall(scene, found.id, { type: "deferred", at: scene.at });
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
  for (const [index, ref] of input.calls.entries()) {
    const id =
      inBatch(scene, agentId, ref, claimed) ?? enter(scene, { agentId, ref, input, match: listed(ref) });
    claimed.add(id);
    const call = calls.get(records, id);
    if (!call) continue;
    if (call.index !== index) {
      calls.set(records, id, { ...call, index });
      tellCall(scene, id, { type: "placed", at, index });
    }
    if (!isOpen(call)) continue;
    if (call.hadPre) tellCall(scene, id, { type: "missed", at, cause: "unreported", evidence: "batch" });
    else tellCall(scene, id, { type: "failed", at, error: "invalid" });
  }
  const [one] = claimed;
  const batchId = one === undefined ? undefined : calls.get(records, one)?.batchId;
  const batch = batchId === undefined ? undefined : batches.get(records, batchId);
  if (batchId !== undefined && batch) batches.set(records, batchId, { ...batch, ordered: true });
  closeBatch(scene, agentId);
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
  const closed = findClosed(
    records,
    digest,
    agentId,
    ref,
    (call, id) => !claimed.has(id) && ofNewest(scene, agentId, call),
  );
  if (closed) return closed.id;
  const open = findInLine(records, digest, agentId, ref, ["started", "announced"]);
  return open && open.match.how === "input" && !claimed.has(open.id) ? open.id : undefined;
}

function ofNewest(scene: Scene, agentId: AgentId, call: CallBook): boolean {
  const batch = batches.get(scene.records, call.batchId);
  return batch?.agentId === agentId && !batch.ordered;
}

function keepOrphan(scene: Scene, agentId: AgentId, input: Result): void {
  const { records, at, policy } = scene;
  const { orphanCount, orphans: waiting, dropped } = head(records);
  if (waiting.size >= policy.orphansMax) return setHead(records, { dropped: dropped + 1 });
  const id = String(orphanCount);
  orphans.set(records, id, { at, input: { ...input, agentId } });
  setHead(records, { orphanCount: orphanCount + 1, orphans: push(records, "orphans", waiting, id) });
  if (waiting.size === 0) scene.timers.push({ timer: "orphans", at: at + policy.orphanMs });
}

/** Joins a call just entered with the result that came before it. */
export function joinOrphans(scene: Scene): void {
  const { records } = scene;
  const { orphans: waiting } = head(records);
  if (waiting.size === 0) return;
  for (const id of [...all(records, "orphans", waiting)]) {
    const orphan = orphans.get(records, id);
    const ref = orphan && "call" in orphan.input ? orphan.input.call : undefined;
    const found = ref && findById(records, ref);
    const call = found && calls.get(records, found.id);
    if (!orphan || !found || !call) continue;
    drop(scene, id);
    apply(scene, found.id, call, orphan.input as Result);
  }
}

function drop(scene: Scene, id: string): void {
  orphans.delete(scene.records, id);
  setHead(scene.records, { orphans: remove(scene.records, "orphans", head(scene.records).orphans, id) });
}

/** Makes calls of the results that waited long enough; all of them once the turn is over. */
export function releaseOrphans(scene: Scene, overdueOnly: boolean): void {
  const { records, at, policy } = scene;
  for (let id = oldest(head(records).orphans); id !== undefined; id = oldest(head(records).orphans)) {
    const orphan = orphans.get(records, id);
    if (orphan && overdueOnly && at - orphan.at < policy.orphanMs) {
      scene.timers.push({ timer: "orphans", at: orphan.at + policy.orphanMs });
      return;
    }
    drop(scene, id);
    if (orphan) release(scene, orphan.input as Result);
  }
  scene.timers.push({ timer: "orphans", at: undefined });
}

function release(scene: Scene, input: Result): void {
  const agentId = speaker(scene, input);
  const how = input.call.toolUseId === undefined ? "input" : "id";
  const id = enter(scene, {
    agentId,
    ref: input.call,
    input,
    match: { how, ambiguous: false, candidates: 1, pre: "missing" },
  });
  const call = calls.get(scene.records, id);
  if (call) apply(scene, id, call, input);
}
