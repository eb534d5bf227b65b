// Trace notes
// Stores the span that a sender named for a request or a call (its traceparent), until that work is over.
//
//   Owns:          what is stored, for how long, and which change shows it.
//   Does not own:  the header (traces/traceparent), receiving a header (doors), using the spans (traces, outlets).
//   Decided in:    docs/decisions/0088-traces-are-read-off-the-log-of-changes.md.
//
// TRACE-NOTES-1. If a message with a traceparent creates a request or a call, each change of that request or call carries the
//     traceparent. So do the changes of the call's approvals. A call without a traceparent carries the traceparent of its
//     request, also after a restart.
// TRACE-NOTES-2. A session has at most 16 such notes; a further note replaces the oldest. Work that is over has no note.
// TRACE-NOTES-3. If no message has a `traceparent` header, a turn reads and writes no rows for traces.

import type { DraftChange } from "./changes.ts";
import type { ApprovalView } from "./views.ts";

/** The traceparents by `request/ID` or `call/ID`, oldest first. */
export type TraceNotes = Readonly<Record<string, string>>;

const NOTES_MAX = 16;

type Draft = Pick<DraftChange, "entity" | "id" | "requestId" | "from" | "to" | "view">;

const ENDS: ReadonlySet<string> = new Set(["completed", "failed", "timeout", "denied", "missing-post"]);

export interface Noted {
  /** The traceparent that a change of this turn carries. */
  readonly of: (draft: Draft) => string | undefined;
  /** The notes that remain after the turn; undefined if none remain. */
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

/** TRACE-NOTES-2: notes the traceparent of requests and calls that this turn creates. */
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
