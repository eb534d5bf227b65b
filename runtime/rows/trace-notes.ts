// Trace notes
// Keeps the span from which a session's open work came, as its sender named it, until the work is over.
//
//   Owns:          what is noted, for how long, and which change shows it.
//   Does not own:  the header (traces/traceparent), receiving a header (doors), using the notes (traces, outlets).
//   Decided in:    docs/decisions/0088-traces-are-read-off-the-log-of-changes.md.
//
// TRACE-NOTES-1. If a message with a traceparent creates a request or a call, each change of it has that traceparent, and so
//     have the changes of the call's approvals. A call without its own traceparent has its request's, even after a restart.
// TRACE-NOTES-2. A session has at most 16 notes; a further note replaces the oldest. Work that is over has no note.
// TRACE-NOTES-3. If nobody sends the header, a turn neither reads nor writes anything for it.

import type { DraftChange } from "./changes.ts";
import type { ApprovalView } from "./views.ts";

/** By `request/ID` or `call/ID`, oldest first. */
export type TraceNotes = Readonly<Record<string, string>>;

const NOTES_MAX = 16;

type Draft = Pick<DraftChange, "entity" | "id" | "requestId" | "from" | "to" | "view">;

const ENDS: ReadonlySet<string> = new Set(["completed", "failed", "timeout", "denied", "missing-post"]);

export interface Noted {
  /** The traceparent of a change of this turn. */
  readonly of: (draft: Draft) => string | undefined;
  /** The notes after the turn; undefined if there are none. */
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

/** TRACE-NOTES-2 */
function begin(notes: Map<string, string>, drafts: readonly Draft[], traceparent: string): void {
  for (const draft of drafts) {
    const { entity, from, requestId = "" } = draft;
    if (from !== null || (entity !== "request" && entity !== "toolcall")) continue;
    // A note that equals the request's note is not needed.
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
