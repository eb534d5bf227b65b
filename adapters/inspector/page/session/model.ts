// Session model
// A moment of a session as its timeline shows it: requests, in each the batches, in each the calls in order.
//
//   Owns:          the order, what is nested in what, which call took which others with it.
//   Does not own:  where the changes come from (history).
//
// Pure: made of changes alone, and so the same for now and for any moment before.

import type { StateChange } from "../../../../runtime/changes.ts";
import type { ApprovalView, CallView, RequestView, SessionView } from "../../../../runtime/views.ts";
import { lastOfEach } from "../history/history.ts";

export interface CallRow {
  readonly call: CallView;
  readonly change: StateChange;
  /** The question that waits for an answer. */
  readonly question?: ApprovalView;
  /** Calls of the subagent this call started. */
  readonly nested: readonly CallRow[];
}

export interface BatchRow {
  readonly id: string;
  readonly calls: readonly CallRow[];
  /** Calls a denial took with it, by the call denied. */
  readonly cascades: ReadonlyMap<string, readonly string[]>;
}

export interface RequestRow {
  readonly request: RequestView;
  readonly change: StateChange;
  readonly batches: readonly BatchRow[];
  readonly from: number;
  readonly to: number;
}

export interface Timeline {
  readonly session: SessionView | undefined;
  readonly requests: readonly RequestRow[];
}

/** What a call must say somewhere to be shown. */
export interface Wanted {
  readonly text: string;
  readonly states: ReadonlySet<string>;
}

export function timelineOf(changes: readonly StateChange[], wanted: Wanted): Timeline {
  const last = [...lastOfEach(changes).values()];
  const questions = new Map<string, ApprovalView>();
  for (const { entity, to, view } of last) {
    // The view of a change is that of its entity (runtime/changes), here and below.
    const { callId } = view as ApprovalView;
    if (entity === "approval" && to === "pending" && callId !== undefined)
      questions.set(callId, view as ApprovalView);
  }
  const calls = last.flatMap((change): CallRow[] => {
    if (change.entity !== "toolcall") return [];
    const call = change.view as CallView;
    const question = questions.get(call.id);
    return isWanted(call, wanted) ? [{ call, change, nested: [], ...(question && { question }) }] : [];
  });
  const session = last.find(({ entity }) => entity === "session")?.view as SessionView | undefined;
  const requests = last.flatMap((change): RequestRow[] => {
    if (change.entity !== "request" && change.entity !== "callback") return [];
    const request = change.view as RequestView;
    const own = calls.filter(({ call }) => call.requestId === request.requestId);
    return [{ request, change, batches: batchesOf(own), ...spanOf(request, own) }];
  });
  const isSought = wanted.text !== "" || wanted.states.size > 0;
  return { session, requests: isSought ? requests.filter(({ batches }) => batches.length > 0) : requests };
}

function isWanted(call: CallView, { text, states }: Wanted): boolean {
  if (states.size > 0 && !states.has(call.execution)) return false;
  return text === "" || JSON.stringify(call).toLowerCase().includes(text.toLowerCase());
}

function batchesOf(rows: readonly CallRow[]): readonly BatchRow[] {
  const parents = new Set(rows.map(({ call }) => call.id as string));
  const isNested = ({ call }: CallRow): boolean =>
    call.parentCallId !== undefined && parents.has(call.parentCallId);
  const nest = (row: CallRow): CallRow => ({
    ...row,
    nested: inOrder(rows.filter(({ call }) => call.parentCallId === row.call.id)).map(nest),
  });
  const batches = new Map<string, CallRow[]>();
  for (const row of rows.filter((each) => !isNested(each))) {
    const { batchId } = row.call;
    batches.set(batchId, [...(batches.get(batchId) ?? []), row]);
  }
  return Array.from(batches, ([id, own]) => ({
    id,
    calls: inOrder(own).map(nest),
    cascades: cascadesOf(own),
  }));
}

const inOrder = (rows: readonly CallRow[]): readonly CallRow[] =>
  rows.toSorted(
    (a, b) =>
      a.call.batchId.localeCompare(b.call.batchId, "en", { numeric: true }) || a.call.index - b.call.index,
  );

function cascadesOf(rows: readonly CallRow[]): ReadonlyMap<string, readonly string[]> {
  const cascades = new Map<string, string[]>();
  for (const { call } of rows) {
    const cause = call.denial?.callId;
    if (cause !== undefined && cause !== call.id)
      cascades.set(cause, [...(cascades.get(cause) ?? []), call.id]);
  }
  return cascades;
}

/** When the first thing of a request happened, and the last, ms. */
function spanOf({ createdAt, completedAt, lastUpdatedAt }: RequestView, rows: readonly CallRow[]) {
  const ends = rows.map(({ call }) => call.closedAt ?? call.updatedAt);
  const to = Math.max(completedAt ?? lastUpdatedAt, ...ends);
  return { from: createdAt, to: Math.max(to, createdAt + 1) };
}
