// Correlation
// Finds the call that a message is about: by id, or by the agent, tool and input that the message gives (seed 000).
//
//   Owns:          the queues of calls under each key, and how a call moves from queue to queue.
//   Does not own:  creating calls, finding the call of an approval (matching).
//   Decided in:    docs/decisions/0014-orphan-results.md.
//
// S0.3 Calls are found by a key: a tool_use_id, (agent, tool, input hash) or (agent, tool). Each key of the last two kinds has
//     one queue; the queue has a first-in, first-out line for each stage of a call, such as `announced` and `started`.
// S0.4 A call is found by its id, or as the oldest call in a line, so no list of calls is searched: a constant number of
//     records is read and written (DEQUE-1). Only calls with the same input are compared one by one: the last 16 closed ones,
//     and the open ones.
// I-18. If a message without an id is matched with a call, the match records how many calls the message could have been about.
//     No message is matched with a call of another session or agent.

import { type CallBook, calls, queues, type QueueBook, uses } from "../books.ts";
import { all, type Deque, EMPTY, oldest, push, remove } from "../queues/deque.ts";
import type { ApprovalId, CallId } from "../ids.ts";
import type { CallRef } from "../inputs.ts";
import { type Fits, joinNameless, leaveNameless } from "./nameless-calls.ts";
import { type Digest, type Found, inputKey, type Likeness, queueKeys } from "../queues/queue-keys.ts";
import type { Records } from "../records.ts";
import { sole } from "../facts/call-facts.ts";

type Line = Exclude<keyof QueueBook, "most">;
type CallLine = Exclude<Line, "pending">;
type IdIn<L extends Line> = L extends CallLine ? CallId : ApprovalId;

const byId = sole("id");

export function join<L extends Line>(records: Records, key: string, line: L, id: IdIn<L>): void {
  shift(records, key, id, [], [line]);
}

export function leave<L extends Line>(records: Records, key: string, line: L, id: IdIn<L>): void {
  if (queues.get(records, key)?.[line]) shift(records, key, id, [line], []);
}

/** The call that has this tool_use_id, as its own id or as an alias. */
export function callOfUse(records: Records, toolUseId: string): CallId | undefined {
  const id = toolUseId as CallId;
  return calls.get(records, id) ? id : uses.get(records, toolUseId);
}

export function findById(records: Records, ref: CallRef): Found | undefined {
  const id = ref.toolUseId === undefined ? undefined : callOfUse(records, ref.toolUseId);
  return id === undefined ? undefined : { id, match: byId };
}

/**
 * Finds the oldest call in the given lines: first in those of the queue with the same input, then of the queue of the same
 * tool.
 */
export function findInLine(records: Records, like: Likeness, lines: readonly CallLine[]): Found | undefined {
  for (const [level, key] of like.entries()) {
    const queue = queues.get(records, key);
    for (const line of lines) {
      const candidate = oldest(queue?.[line]);
      if (queue === undefined || candidate === undefined) continue;
      const most = line === "announced" || line === "started" ? (queue.most?.[line] ?? 1) : 1;
      const candidates = Math.max(queue[line]?.size ?? 1, most);
      const how = like.length === 2 && level === 0 ? "input" : "name";
      return { id: candidate, match: { how, ambiguous: candidates > 1, candidates } };
    }
  }
  return undefined;
}

/** The open calls with the same input, in the order in which results are matched with these calls. */
export function* openLike(records: Records, like: Likeness): Generator<CallId> {
  const key = inputKey(like);
  if (key === undefined) return;
  const queue = queues.get(records, key);
  for (const line of ["started", "announced"] as const) yield* all(records, `${key}/${line}`, queue?.[line]);
}

/** Late evidence is compared with at most this many closed calls that have the same input. */
export const CLOSED_KEPT = 16;

export function findClosed(records: Records, like: Likeness, fits: Fits): Found | undefined {
  const key = inputKey(like);
  if (key === undefined) return undefined;
  const line = queues.get(records, key)?.closed;
  for (const id of all(records, `${key}/closed`, line)) {
    const call = calls.get(records, id);
    const candidates = line?.size ?? 1;
    if (call && fits(call, id)) return { id, match: { how: "input", ambiguous: candidates > 1, candidates } };
  }
  return undefined;
}

/** Registers a new call under its id and in its queues. A call of the past is found only by its id, so it is put in no queue. */
export function register(records: Records, digest: Digest, id: CallId, call: CallBook): void {
  calls.set(records, id, call);
  if (call.toolUseId !== undefined && call.toolUseId !== id) uses.set(records, call.toolUseId, id);
  if (call.past) return;
  const to: readonly Line[] = [call.stage, "unclaimed"];
  const lines = queueKeys(digest, call);
  for (const key of lines) shift(records, key, id, [], to);
  if (call.toolUseId === undefined && call.hash !== undefined) joinNameless(records, lines[0] ?? "", id);
}

const NO_QUEUE: QueueBook = {
  announced: undefined,
  started: undefined,
  unclaimed: undefined,
  closed: undefined,
  pending: undefined,
};

/** Moves an id between the lines of one queue. Reads and writes the queue's record only once, however many lines change. */
function shift(records: Records, key: string, id: string, from: readonly Line[], to: readonly Line[]): void {
  const before: QueueBook = queues.get(records, key) ?? NO_QUEUE;
  const { announced, started, unclaimed, closed, pending } = before;
  const next: { -readonly [L in Line]: Deque | undefined } & Pick<Mutable<QueueBook>, "most"> = {
    announced,
    started,
    unclaimed,
    closed,
    pending,
  };
  for (const line of from) {
    const after = next[line] && remove(records, `${key}/${line}`, next[line], id);
    next[line] = after && after.size > 0 ? after : undefined;
  }
  for (const line of to) {
    const name = `${key}/${line}`;
    const ids = next[line] ?? EMPTY;
    const isFull = line === "closed" && ids.size >= CLOSED_KEPT;
    const room = isFull ? remove(records, name, ids, oldest(ids) ?? "") : ids;
    next[line] = push(records, name, room, id);
  }
  const most = mostOf(before, next);
  if (most) next.most = most;
  if (next.announced ?? next.started ?? next.unclaimed ?? next.closed ?? next.pending)
    // The cast is safe: `join`, `leave` and the functions below put only ids of a queue's own kind into the queue.
    queues.set(records, key, next as QueueBook);
  else queues.delete(records, key);
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

type Sizes = Readonly<Record<"announced" | "started", { readonly size: number } | undefined>>;

function mostOf(before: QueueBook, next: Sizes): QueueBook["most"] {
  const announced = mostIn("announced", before, next);
  const started = mostIn("started", before, next);
  return announced > 1 || started > 1 ? { announced, started } : undefined;
}

function mostIn(line: keyof Sizes, before: QueueBook, next: Sizes): number {
  const size = next[line]?.size ?? 0;
  return size === 0 ? 0 : Math.max(size, before.most?.[line] ?? before[line]?.size ?? 0);
}

/** Moves a call on to `started` or `closed`, or back to `announced` if it was deferred. */
export function advance(
  records: Records,
  digest: Digest,
  id: CallId,
  call: CallBook,
  stage: CallBook["stage"],
): CallBook {
  if (call.stage === stage) return call;
  const closes = stage === "closed";
  const from: readonly Line[] = closes ? [call.stage, "unclaimed"] : [call.stage];
  const keys = call.past ? [] : queueKeys(digest, call);
  for (const [level, key] of keys.entries()) {
    const keeps = !closes || (level === 0 && call.hash !== undefined);
    shift(records, key, id, from, keeps ? [stage] : []);
  }
  const next = { ...call, stage };
  calls.set(records, id, next);
  return next;
}

export function claim(records: Records, digest: Digest, id: CallId, call: CallBook): void {
  for (const key of queueKeys(digest, call)) leave(records, key, "unclaimed", id);
}

export function unclaim(records: Records, digest: Digest, id: CallId, call: CallBook): void {
  if (call.past) return;
  for (const key of queueKeys(digest, call)) join(records, key, "unclaimed", id);
}

/** Lets a call be found by a second key: its real id, which was reported later than the call. */
export function alias(
  records: Records,
  digest: Digest,
  id: CallId,
  call: CallBook,
  toolUseId: string,
): CallBook {
  const [key = ""] = queueKeys(digest, call);
  leaveNameless(records, key, ["unnamed"], id);
  uses.set(records, toolUseId, id);
  const next = { ...call, toolUseId };
  calls.set(records, id, next);
  return next;
}

export function forget(records: Records, digest: Digest, id: CallId, call: CallBook): void {
  const keys = queueKeys(digest, call);
  for (const key of keys)
    for (const line of ["announced", "started", "unclaimed", "closed"] as const)
      leave(records, key, line, id);
  const [key = ""] = keys;
  leaveNameless(records, key, ["unnamed", "unlisted"], id);
  if (call.toolUseId !== undefined) uses.delete(records, call.toolUseId);
  calls.delete(records, id);
}
