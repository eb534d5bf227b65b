// Session model
// A session at one moment, as the timeline shows it: its requests, their batches, and the calls of each batch in order.
//
//   Owns:          the order of the calls, which calls are nested in which, which denial ended which calls.
//   Does not own:  reading the changes (history).

import type { StateChange } from "../../../../runtime/rows/changes.ts";
import type { ApprovalView, CallView, RequestView, SessionView } from "../../../../runtime/rows/views.ts";
import { lastOfEach } from "../history/changes.ts";

export interface CallRow {
  readonly call: CallView;
  readonly change: StateChange;
  /** The pending approval of the call. */
  readonly waiting?: ApprovalView;
  /** How deep the row is nested: how many calls above it, one within another, started a subagent that led to this call. */
  readonly depth: number;
  /** True if the call itself does not match the search, but a call of its subagent does. */
  readonly isAround: boolean;
  /**
   * The row's part in a cascade, in which the denial of one call ended others: `cause`, the denied call; `taken`, a call that was
   * ended; `passed`, a call between these that was not ended.
   */
  readonly reach?: "cause" | "taken" | "passed";
  /** The calls of subagents below the call, as a fold; absent if there are none. */
  readonly fold?: Fold;
}

/** Counts of the calls below a call, and whether these are shown. */
export interface Fold {
  readonly calls: number;
  readonly failed: number;
  readonly denied: number;
  readonly running: number;
  readonly waiting: number;
  readonly isOpen: boolean;
}

/** A batch of the main agent, or of a subagent whose starting call is not known. */
export interface BatchRow {
  readonly id: string;
  /** The rows in order, each followed by the calls of the subagents that its call started. */
  readonly rows: readonly CallRow[];
}

/** What a request's heading shows. If the request itself was not read, these facts are taken from its calls. */
export type RequestFacts = Pick<RequestView, "state" | "waiting" | "createdAt" | "lastUpdatedAt"> &
  Partial<Pick<RequestView, "prompt" | "error" | "completedAt" | "tokens" | "model">> & {
    readonly requestId: string;
  };

export interface RequestRow {
  readonly request: RequestFacts;
  readonly batches: readonly BatchRow[];
  /** All calls of the request that the page knows, even those that a search or a fold hides. */
  readonly calls: readonly CallView[];
  readonly from: number;
  readonly to: number;
}

export const rowsOf = ({ batches }: Pick<RequestRow, "batches">): readonly CallRow[] =>
  batches.flatMap(({ rows }) => rows);

export interface Timeline {
  readonly session: SessionView | undefined;
  readonly requests: readonly RequestRow[];
}

/** The search: a call is shown if it contains the text and is in one of the states; an empty field matches every call. */
export interface Wanted {
  readonly text: string;
  readonly states: ReadonlySet<string>;
}

export function timelineOf(changes: readonly StateChange[], wanted: Wanted): Timeline {
  const last = [...lastOfEach(changes).values()];
  const approvals = new Map<string, ApprovalView>();
  for (const { entity, to, view } of last) {
    // The first cast is safe because `callId` is used only of an approval, the casts below because the view in a change is of the
    // entity that the change names (runtime/rows/changes).
    const { callId } = view as ApprovalView;
    if (entity === "approval" && to === "pending" && callId !== undefined)
      approvals.set(callId, view as ApprovalView);
  }
  const calls = last.flatMap((change): Seen[] => {
    if (change.entity !== "toolcall") return [];
    const call = change.view as CallView;
    const waiting = approvals.get(call.id);
    return [{ call, change, fits: isWanted(call, wanted), ...(waiting && { waiting }) }];
  });
  const ofRequest = grouped(calls, ({ call }) => call.requestId as string);
  const session = last.find(({ entity }) => entity === "session")?.view as SessionView | undefined;
  const told = last.flatMap((change): RequestRow[] => {
    if (change.entity !== "request" && change.entity !== "callback") return [];
    const request = change.view as RequestView;
    const own = ofRequest.get(request.requestId) ?? [];
    ofRequest.delete(request.requestId);
    return [rowOf(request, own)];
  });
  // If only calls of a request were loaded, the request began before all loaded requests, so it comes first.
  const untold = Array.from(ofRequest, ([id, own]) => untoldRow(id, own));
  const requests = [...untold, ...told];
  const isSought = wanted.text !== "" || wanted.states.size > 0;
  return { session, requests: isSought ? requests.filter(({ batches }) => batches.length > 0) : requests };
}

interface Seen extends Pick<CallRow, "call" | "change" | "waiting"> {
  readonly fits: boolean;
}

function untoldRow(requestId: string, own: readonly Seen[]): RequestRow {
  const createdAt = Math.min(...own.map(({ call }) => call.createdAt));
  const lastUpdatedAt = Math.max(...own.map(({ call }) => call.updatedAt));
  const request = { requestId, state: "unknown", waiting: false, createdAt, lastUpdatedAt };
  return rowOf(request, own);
}

const rowOf = (request: RequestFacts, own: readonly Seen[]): RequestRow => ({
  request,
  batches: batchesOf(own),
  calls: own.map(({ call }) => call),
  ...spanOf(request, own),
});

function isWanted(call: CallView, { text, states }: Wanted): boolean {
  if (states.size > 0 && !states.has(call.execution)) return false;
  return text === "" || JSON.stringify(call).toLowerCase().includes(text.toLowerCase());
}

function batchesOf(calls: readonly Seen[]): readonly BatchRow[] {
  const byId = new Map(calls.map((each) => [each.call.id as string, each]));
  const parentOf = ({ call: { parentCallId: id } }: Seen): Seen | undefined =>
    id === undefined ? undefined : byId.get(id);
  const kept = new Set<Seen>();
  for (const each of calls) {
    if (!each.fits) continue;
    for (let at: Seen | undefined = each; at && !kept.has(at); at = parentOf(at)) kept.add(at);
  }
  const below = grouped(
    calls.filter((each) => kept.has(each)),
    parentOf,
  );
  const batches = grouped(below.get(undefined) ?? [], ({ call }) => call.batchId);
  return withReach(Array.from(batches, ([id, own]) => ({ id, rows: unfolded(own, below) })));
}

/** Calls in order, each followed by those of its subagents; without recursion, so that any depth works. */
function unfolded(
  own: readonly Seen[],
  below: ReadonlyMap<Seen | undefined, readonly Seen[]>,
): readonly CallRow[] {
  const rows: CallRow[] = [];
  const left = inOrder(own)
    .map((seen) => ({ seen, depth: 0 }))
    .toReversed();
  for (let next = left.pop(); next; next = left.pop()) {
    const { fits, ...seen } = next.seen;
    const { depth } = next;
    rows.push({ ...seen, depth, isAround: !fits });
    const nested = inOrder(below.get(next.seen) ?? []).map((each) => ({ seen: each, depth: depth + 1 }));
    left.push(...nested.toReversed());
  }
  return rows;
}

export type Some<T> = [T, ...T[]];

export function grouped<T, K>(all: readonly T[], keyOf: (each: T) => K): Map<K, Some<T>> {
  const groups = new Map<K, Some<T>>();
  for (const each of all) {
    const key = keyOf(each);
    const group = groups.get(key);
    if (group) group.push(each);
    else groups.set(key, [each]);
  }
  return groups;
}

/** Compares batch ids, which contain numbers. */
const byNumber = new Intl.Collator("en", { numeric: true });

const inOrder = (calls: readonly Seen[]): readonly Seen[] =>
  calls.toSorted(({ call: a }, { call: b }) =>
    a.batchId === b.batchId ? a.index - b.index : byNumber.compare(a.batchId, b.batchId) || a.index - b.index,
  );

/** Sets the `reach` of the rows in cascades. A denial may also end calls of other batches. */
function withReach(batches: readonly BatchRow[]): readonly BatchRow[] {
  const all = rowsOf({ batches });
  const places = new Map(all.map(({ call }, place) => [call.id as string, place]));
  const reach = new Map<number, CallRow["reach"]>();
  const taken = grouped(all, ({ call: { id, denial } }) =>
    denial?.callId === id ? undefined : denial?.callId,
  );
  for (const [cause, rows] of taken) {
    const from = cause === undefined ? undefined : places.get(cause);
    if (from === undefined) continue;
    const ends = rows.map(({ call }) => places.get(call.id) ?? from);
    for (let place = Math.min(from, ...ends); place <= Math.max(from, ...ends); place += 1)
      if (!reach.has(place)) reach.set(place, "passed");
    for (const place of ends) if (reach.get(place) !== "cause") reach.set(place, "taken");
    reach.set(from, "cause");
  }
  let place = 0;
  return batches.map(({ id, rows }) => ({
    id,
    rows: rows.map((row) => {
      const part = reach.get(place++);
      return part === undefined ? row : { ...row, reach: part };
    }),
  }));
}

function spanOf({ createdAt, completedAt, lastUpdatedAt }: RequestFacts, calls: readonly Seen[]) {
  const ends = calls.map(({ call }) => call.closedAt ?? call.updatedAt);
  const to = Math.max(completedAt ?? lastUpdatedAt, ...ends);
  return { from: createdAt, to: Math.max(to, createdAt + 1) };
}
