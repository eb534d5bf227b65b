// Before
// Finds the states of a session's machines before the window, that is, before the part of the changes that the page has read.
//
//   Owns:          finding earlier states in the changes of the window, and in the present views that the engine sends with them.
//   Does not own:  how far back the page reads (history.ts), for which actors the engine sends a present view (the engine).
//
// BEFORE-1. If a session or request changes within the window, its state at the window's beginning is the source state (`from`)
//     of its first change in the window. Otherwise its state at the window's beginning is its present state. So the page need not
//     read the log before the window.
// BEFORE-2. An open call may have no change among those that the page has read. The page nevertheless shows the call, its
//     request and its approval from the first drawing of the session on, as they are now.

import type { Entity, StateChange } from "../../../../runtime/rows/changes.ts";
import type { RequestView, SessionView } from "../../../../runtime/rows/views.ts";
import type { Standing } from "../../../../runtime/reading/standing/left-open.ts";
import { ApiError, ask } from "../engine/api.ts";

export type Begun = Standing &
  (
    | { readonly entity: "session"; readonly view: SessionView }
    | { readonly entity: "request"; readonly view: RequestView }
  );

const isBegun = (it: Standing): it is Begun => it.entity === "session" || it.entity === "request";

/**
 * Divides the present views. `within`: those of the session, and of the requests that the window names. `apart`: those of all
 * actors that the window does not name (BEFORE-2).
 */
export function dividedBy(window: readonly StateChange[], standing: readonly Standing[]) {
  const ids = new Set(standing.map(({ id }) => id));
  const named = new Set<string>();
  for (const { entity, id, requestId } of window) {
    if (ids.has(id)) named.add(`${entity}/${id}`);
    if (requestId !== undefined && ids.has(requestId)) named.add(`request/${requestId}`);
  }
  const isNamed = (it: Standing): boolean => it.entity === "session" || named.has(`${it.entity}/${it.id}`);
  return {
    within: standing.filter((it): it is Begun => isBegun(it) && isNamed(it)),
    apart: standing.filter((it) => !isNamed(it)),
  };
}

/** Requests as they are now. A request that the engine has removed is left out. */
export async function requestsNow(workspace: string, ids: readonly string[]): Promise<readonly Begun[]> {
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

/** The states of the session and its requests when the window began, as changes before the window's first change. */
export function changesBefore(
  standing: readonly Begun[],
  window: readonly StateChange[],
): readonly StateChange[] {
  return standing.flatMap((it) => {
    const first = window.find(({ entity, id }) => entity === it.entity && id === it.id);
    if (!first) return [asChange(it.entity, it.id, it.view, it.view.workspace)];
    // A session or request that began within the window had no state before the window.
    if (first.from === null) return [];
    return [asChange(it.entity, it.id, left(it, first.from), it.view.workspace)];
  });
}

/** The view of a session or request as it was in an earlier state: without the fields that only later changes set. */
function left({ entity, view }: Begun, state: string): SessionView | RequestView {
  if (entity === "session") return { ...view, state };
  const { completedAt: _ended, error: _error, ...rest } = view;
  const isWaiting = state === "waiting";
  return { ...rest, state: isWaiting ? "processing" : state, waiting: isWaiting };
}

/**
 * Present views in the form of changes that come before all others, so that the timeline can be made from views and changes
 * alike.
 */
export const asChanges = (workspace: string, standing: readonly Standing[]): readonly StateChange[] =>
  standing.map(({ entity, id, view }) => asChange(entity, id, view, workspace));

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
