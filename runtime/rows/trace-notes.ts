// Trace notes
// Which span a session's open work came from, as its sender named it: kept beside the session until that is over.
//
//   Owns:          what is noted, for how long, and which change it is told with.
//   Does not own:  the header (traces/traceparent), where it comes in (doors), what is made of it (traces, outlets).
//   Decided in:    docs/decisions/0088-traces-are-read-off-the-log-of-changes.md.
//
// TRACE-NOTES-1. A request or a call that a message with a traceparent created tells it with each of its changes, and so do
//     the call's approvals; a call without one of its own tells its request's. A restart changes nothing.
// TRACE-NOTES-2. A session has at most 16 notes: the oldest gives way. Work that is over has none.
// TRACE-NOTES-3. Where nobody sends the header, a turn neither reads nor writes anything for it.

import type { DraftChange } from "./changes.ts";
import type { ApprovalView } from "./views.ts";

/** By `request/ID` or `call/ID`, the oldest first. */
export type TraceNotes = Readonly<Record<string, string>>;

const NOTES_MAX = 16;

type Draft = Pick<DraftChange, "entity" | "id" | "requestId" | "from" | "to" | "view">;

const ENDS: ReadonlySet<string> = new Set(["completed", "failed", "timeout", "denied", "missing-post"]);

export interface Noted {
  /** What a change of this turn tells. */
  readonly of: (draft: Draft) => string | undefined;
  /** What stays noted behind it; undefined for nothing. */
  readonly left: TraceNotes | undefined;
}

const NOTHING: Noted = { of: () => undefined, left: undefined };

/** @param traceparent of the turn's message. */
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
    // If the request's note says the same, no note is needed.
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
