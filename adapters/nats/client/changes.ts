// Changes
// The options of a feed of state changes, and the items it yields.
//
//   Owns:          the options and items of a feed, the view of each kind of change, checking a change.
//   Does not own:  reading changes (feed).

import { isId } from "../../../machines/ids.ts";
import type { Entity, StateChange } from "../../../runtime/rows/changes.ts";
import type { LogGap } from "../../../runtime/reading/following.ts";
import type { StateFilter } from "../../../runtime/rows/subjects.ts";
import type {
  AlarmView,
  ApprovalView,
  CallView,
  RequestView,
  SessionView,
} from "../../../runtime/rows/views.ts";

interface Views {
  readonly session: SessionView;
  readonly request: RequestView;
  readonly callback: RequestView;
  readonly toolcall: CallView;
  readonly approval: ApprovalView;
  readonly alarm: AlarmView;
}

/** A state that an actor entered; the view's type depends on `entity`. */
export type Change = {
  [E in Entity]: Omit<StateChange, "entity" | "view"> & { readonly entity: E; readonly view: Views[E] };
}[Entity];

export interface ChangesOptions {
  /** The client's own workspace by default; `*` for all workspaces that the user may read. */
  readonly workspace?: string;
  readonly session?: string;
  readonly entity?: Entity;
  readonly id?: string;
  /** The entered state, or `annotated`. */
  readonly state?: string;
  /** The last stored cursor; `start` for all changes the engine has; `now`, the default, for new changes only. */
  readonly from?: string;
  /** The last stored version of each session, by `<workspace>/<session>`: changes up to that version are skipped. */
  readonly versions?: Iterable<readonly [session: string, version: number]>;
  /** Ends the feed. */
  readonly signal?: AbortSignal;
}

/**
 * Changes may be missing here: query what you need, then go on.
 * - `versions`: changes of one session, between two of its versions.
 * - `unreadable`: changes that the engine can no longer read or send; their session is not known.
 * - `trimmed`: the engine no longer has all changes after the cursor.
 * - `rolled-back`: the engine has lost the end of its log, and makes those changes again.
 * - `replaced`: the engine now has another log, and the feed reads that log from its start.
 */
export interface Gap {
  readonly kind: "gap";
  readonly reason: "versions" | "unreadable" | LogGap;
  readonly cursor: string;
  readonly workspace?: string;
  readonly sessionId?: string;
  /** The last version received, and the next one available. */
  readonly after?: number;
  readonly before?: number;
}

/** Store `cursor` together with what you made of the change: a feed that starts there continues after this change. */
export type ChangeItem = { readonly kind: "change"; readonly change: Change; readonly cursor: string } | Gap;

/** Whether `value` is a change that passes the filter. */
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
