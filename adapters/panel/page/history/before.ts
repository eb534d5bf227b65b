// Before
// The state of the session and of its requests when a window of the change log began.
//
//   Owns:          finding what the window's changes leave open about that state; reading it from the engine.
//   Does not own:  the window (history.ts).
//
// BEFORE-1. A session or request that does not change within the window was then as it is now. One that changes there
//     was in the state that its first change left. So no moment is invented, and a longer log costs no more.

import type { Entity, StateChange } from "../../../../runtime/rows/changes.ts";
import type { RequestView, SessionView } from "../../../../runtime/rows/views.ts";
import { ApiError, ask } from "../engine/api.ts";

/** How many requests are read at once. */
const ASKED_MAX = 100;

/** A session or request as it is now. */
export type Standing =
  | { readonly entity: "session"; readonly id: string; readonly view: SessionView }
  | { readonly entity: "request"; readonly id: string; readonly view: RequestView };

/** Finds the requests that the window first names in a change of something else, such as a call. @returns their ids. */
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
 * Reads what `changesBefore` needs from the engine.
 * @param window changes of one session without a gap, by version.
 * @returns the present state of the session, and of the requests about which the window tells too little. @throws ApiError
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

/** Requests as they are now; a request that is not kept any more is left out. */
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

/** The states of the session and of its requests when the window began, as changes that come before the window's first. */
export function changesBefore(
  standing: readonly Standing[],
  window: readonly StateChange[],
): readonly StateChange[] {
  return standing.flatMap((it) => {
    const first = window.find(({ entity, id }) => entity === it.entity && id === it.id);
    if (!first) return [asChange(it.entity, it.id, it.view, it.view.workspace)];
    // The session or request began within the window, so it had no state before.
    if (first.from === null) return [];
    return [asChange(it.entity, it.id, left(it, first.from), it.view.workspace)];
  });
}

/** The view as it was before a change left this state, without the fields that only later changes set. */
function left({ entity, view }: Standing, state: string): SessionView | RequestView {
  if (entity === "session") return { ...view, state };
  const { completedAt: _ended, error: _error, ...rest } = view;
  const isWaiting = state === "waiting";
  return { ...rest, state: isWaiting ? "processing" : state, waiting: isWaiting };
}

/** A call as it is now, as a change. */
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
