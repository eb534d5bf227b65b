// Before
// What a window of the log presupposes: the state of the session and of each request when the window began.
//
//   Owns:          finding out which of them the window says too little of; asking for those.
//   Does not own:  the window (history.ts).
//
// BEFORE-1. What does not change within the window stood then as it stands now. What does, stood as its first change
//     there says it left it. No moment is made up, and none costs more for a longer log.

import type { Entity, StateChange } from "../../../../runtime/rows/changes.ts";
import type { RequestView, SessionView } from "../../../../runtime/rows/views.ts";
import { ApiError, ask } from "../engine/api.ts";

/** Asked about in one go. */
const ASKED_MAX = 100;

/** A session or request as it stands now. */
export type Standing =
  | { readonly entity: "session"; readonly id: string; readonly view: SessionView }
  | { readonly entity: "request"; readonly id: string; readonly view: RequestView };

/** Requests, by id, that are spoken of before they say anything themselves. */
function silentIn(window: readonly StateChange[]): readonly string[] {
  const told = new Set<string>();
  const silent = new Set<string>();
  for (const { entity, id, requestId } of window) {
    if (entity === "request" || entity === "callback") told.add(id);
    else if (requestId !== undefined && !told.has(requestId)) silent.add(requestId);
  }
  return [...silent];
}

/**
 * @param window changes of one session without a gap, by version.
 * @returns how those stand now that it says too little of. @throws ApiError
 */
export async function standingBefore(
  workspace: string,
  session: string,
  window: readonly StateChange[],
): Promise<readonly Standing[]> {
  const own = await ask<SessionView>(`/v1/sessions/${session}`, { workspace });
  const requests = await requestsNow(workspace, silentIn(window).slice(-ASKED_MAX));
  return [{ entity: "session", id: session, view: own }, ...requests];
}

/** Requests as they stand now; one that is not kept any more is left out. */
export async function requestsNow(workspace: string, ids: readonly string[]): Promise<readonly Standing[]> {
  const found = await Promise.all(
    ids.map((id) =>
      ask<RequestView>(`/v1/requests/${id}`, { workspace }).catch((error: unknown) => {
        if (error instanceof ApiError && error.status === 404) return undefined;
        throw error;
      }),
    ),
  );
  return found.flatMap((view) => (view ? [{ entity: "request", id: view.requestId, view }] : []));
}

/** What stood when the window began, as changes that come before it. */
export function changesBefore(
  standing: readonly Standing[],
  window: readonly StateChange[],
): readonly StateChange[] {
  return standing.flatMap((it) => {
    const first = window.find(({ entity, id }) => entity === it.entity && id === it.id);
    if (!first) return [asChange(it.entity, it.id, it.view, it.view.workspace)];
    // It began within the window.
    if (first.from === null) return [];
    return [asChange(it.entity, it.id, left(it, first.from), it.view.workspace)];
  });
}

/** A view as it was in the state it left, without what only came after. */
function left({ entity, view }: Standing, state: string): SessionView | RequestView {
  if (entity === "session") return { ...view, state };
  const { completedAt: _ended, error: _error, ...rest } = view;
  const isWaiting = state === "waiting";
  return { ...rest, state: isWaiting ? "processing" : state, waiting: isWaiting };
}

/** A call as it stands now, as a change. */
export const callNow = (view: { readonly id: string; readonly workspace: string }): StateChange =>
  asChange("toolcall", view.id, view, view.workspace);

const asChange = (
  entity: Entity,
  id: string,
  view: { readonly sessionId?: string; readonly createdAt: number } | object,
  workspace: string,
): StateChange => ({
  ...{ n: 0, version: 0, epoch: 0, turn: 0, part: 1, parts: 1, from: null, at: 0 },
  ...{ entity, id, workspace, view },
  sessionId: "sessionId" in view && typeof view.sessionId === "string" ? view.sessionId : id,
  to: "state" in view ? String(view.state) : "",
});
