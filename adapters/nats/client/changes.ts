// Changes
// What a subscriber of state changes says and is told.
//
//   Owns:          the options and items of a feed, the view each kind of change carries, telling what is none.
//   Does not own:  reading them (feed).

import { isId } from "../../../machines/ids.ts";
import type { Entity, StateChange } from "../../../runtime/rows/changes.ts";
import type { LogGap } from "../../../runtime/reading/following.ts";
import type { StateFilter } from "../../../runtime/rows/subjects.ts";
import type { ApprovalView, CallView, RequestView, SessionView } from "../../../runtime/rows/views.ts";

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
  /** The cursor of the last change that was kept; `start` for all the engine has; `now`, the default, for what comes. */
  readonly from?: string;
  /** The last version kept of each session, by `<workspace>/<session>`: what is not above it is not given again. */
  readonly versions?: Iterable<readonly [session: string, version: number]>;
  /** Ends the feed. */
  readonly signal?: AbortSignal;
}

/**
 * Changes may be missing here: read what you need by a query, then go on.
 * - `versions`: changes of one session, between two of its versions.
 * - `unreadable`: some that the engine cannot read or send any more, whosever they are.
 * - `trimmed`: the engine no longer has all that stood behind the cursor.
 * - `rolled-back`: the engine has lost the end of its log; it makes it again.
 * - `replaced`: another log stands in its place; it is read from its start.
 */
export interface Gap {
  readonly kind: "gap";
  readonly reason: "versions" | "unreadable" | LogGap;
  readonly cursor: string;
  readonly workspace?: string;
  readonly sessionId?: string;
  /** The last version seen, and the next that is there. */
  readonly after?: number;
  readonly before?: number;
}

/** `cursor` is to be kept with what was made of the item: reading goes on behind it. */
export type ChangeItem = { readonly kind: "change"; readonly change: Change; readonly cursor: string } | Gap;

/** Whether it is a change, and one that was asked for. */
export function isChange(value: unknown, filter: StateFilter): value is Change {
  if (typeof value !== "object" || value === null) return false;
  const { n, version, workspace, sessionId, entity, id, to } = value as Partial<StateChange>;
  const tokens = { workspace, session: sessionId, entity, id, state: to };
  return (
    [n, version].every((each) => Number.isSafeInteger(each)) &&
    Object.values(tokens).every((token) => typeof token === "string" && isId(token)) &&
    Object.entries(filter).every(([name, token]) => Reflect.get(tokens, name) === token)
  );
}
