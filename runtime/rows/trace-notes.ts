// Trace notes
// Stores the span that a sender named for a request or a call (the traceparent), until the request or call is over.
//
//   Owns:          which traceparent is stored, for how long, and which changes contain it.
//   Does not own:  the header (traces/traceparent), receiving a header (doors), using the spans (traces, outlets).
//   Decided in:    docs/decisions/0088-traces-are-read-off-the-log-of-changes.md.
//
// TRACE-NOTES-1. If a message with a traceparent creates a request or a call, each change of this request or call carries the
//     traceparent, and so does each change of the call's approvals. The changes of a call without a traceparent carry the
//     traceparent of its request, also after a restart.
// TRACE-NOTES-2. A session has at most 16 stored traceparents (notes); a further note replaces the oldest. A request or call that
//     is over has no note.
// TRACE-NOTES-3. Without a message that has a `traceparent` header, no turn reads or writes a row for traces.

import type { DraftChange } from "./changes.ts";
import type { ApprovalView } from "./views.ts";

/** The traceparents that senders named, by `request/ID` or `call/ID`, oldest first. */
export type TraceNotes = Readonly<Record<string, string>>;

const NOTES_MAX = 16;

type Draft = Pick<DraftChange, "entity" | "id" | "requestId" | "from" | "to" | "view">;

const ENDS: ReadonlySet<string> = new Set(["completed", "failed", "timeout", "denied", "missing-post"]);

export interface Noted {
  readonly of: (draft: Draft) => string | undefined;
  readonly left: TraceNotes | undefined;
}

const NOTHING: Noted = { of: () => undefined, left: undefined };

export function noted(
  before: TraceNotes | undefined,
  drafts: readonly Draft[],
  traceparent: string | undefined,
): Noted {
  if (before === undefined && traceparent === undefined) return NOTHING;
  const notes = new Map(Object.entries(before ?? {}));
  if (traceparent !== undefined) begin(notes, drafts, traceparent);
  const during = new Map(notes);
  for (const draft of drafts) if (ENDS.has(draft.to)) notes.delete(keyOf(draft));
  return {
    of: (draft) => during.get(keyOf(draft)) ?? during.get(`request/${draft.requestId ?? ""}`),
    left: notes.size === 0 ? undefined : Object.fromEntries(notes),
  };
}

function begin(notes: Map<string, string>, drafts: readonly Draft[], traceparent: string): void {
  for (const draft of drafts) {
    const { entity, from, requestId = "" } = draft;
    if (from !== null || (entity !== "request" && entity !== "toolcall")) continue;
    // A call needs no note if its request has the same traceparent.
    if (notes.get(`request/${requestId}`) === traceparent) continue;
    notes.set(keyOf(draft), traceparent);
  }
  for (const oldest of notes.keys()) if (notes.size > NOTES_MAX) notes.delete(oldest);
}

function keyOf({ entity, id, view }: Draft): string {
  switch (entity) {
    case "request":
    case "callback":
      return `request/${id}`;
    case "toolcall":
    case "alarm":
      return `call/${id}`;
    case "approval":
      return `call/${(view as ApprovalView).callId ?? ""}`;
    case "session":
      return "";
  }
}
