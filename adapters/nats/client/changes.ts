// Changes
// What a subscriber of state changes says and is told.
//
//   Owns:          the options and items of a feed, the view each kind of change carries.
//   Does not own:  reading them (feed).

import type { Entity, StateChange } from "../../../runtime/changes.ts";
import type { ApprovalView, CallView, RequestView, SessionView } from "../../../runtime/views.ts";

interface Views {
  readonly session: SessionView;
  readonly request: RequestView;
  readonly callback: RequestView;
  readonly toolcall: CallView;
  readonly approval: ApprovalView;
}

/** A state that was entered, by its `entity` with the view of that. */
export type Change = {
  [E in Entity]: Omit<StateChange, "entity" | "view"> & { readonly entity: E; readonly view: Views[E] };
}[Entity];

export interface ChangesOptions {
  /** The client's own when not given; `*` for all the user may read. */
  readonly workspace?: string;
  readonly session?: string;
  readonly entity?: Entity;
  readonly id?: string;
  /** The state entered, or `annotated`. */
  readonly state?: string;
  /** The cursor of the last change that was kept; `start` for all the stream has; `now`, the default, for what comes. */
  readonly from?: string;
  /** The last version kept of each session, by `<workspace>/<session>`: what is not above it is not given again. */
  readonly versions?: Iterable<readonly [session: string, version: number]>;
  /** Ends the feed. */
  readonly signal?: AbortSignal;
}

/**
 * Changes may be missing here: read what you need by a query, then go on.
 * - `versions`: changes of one session, between two of its versions.
 * - `trimmed`: the stream no longer has all that stood behind the cursor.
 * - `rolled-back`: the server has lost the end of the stream; the engine publishes it again.
 * - `replaced`: another stream stands in its place; it is read from its start.
 */
export interface Gap {
  readonly kind: "gap";
  readonly reason: "versions" | "trimmed" | "rolled-back" | "replaced";
  readonly cursor: string;
  readonly workspace?: string;
  readonly sessionId?: string;
  /** The last version seen, and the next that is there. */
  readonly after?: number;
  readonly before?: number;
}

/** `cursor` is to be kept with what was made of the item: reading goes on behind it. */
export type ChangeItem = { readonly kind: "change"; readonly change: Change; readonly cursor: string } | Gap;
