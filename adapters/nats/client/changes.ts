// Changes
// What a subscriber of state changes asks for, and what it gets.
//
//   Owns:          the options and items of a feed, the view each kind of change carries, recognising a change.
//   Does not own:  reading them (feed).

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

/** A state that was entered; the view depends on `entity`. */
export type Change = {
  [E in Entity]: Omit<StateChange, "entity" | "view"> & { readonly entity: E; readonly view: Views[E] };
}[Entity];

export interface ChangesOptions {
  /** The client's own workspace by default; `*` for all that the user may read. */
  readonly workspace?: string;
  readonly session?: string;
  readonly entity?: Entity;
  readonly id?: string;
  /** The state entered, or `annotated`. */
  readonly state?: string;
  /** The last cursor kept; `start` for all changes the engine has; `now`, the default, for new ones only. */
  readonly from?: string;
  /** The last version kept of each session, by `<workspace>/<session>`: changes up to it are not given again. */
  readonly versions?: Iterable<readonly [session: string, version: number]>;
  /** Ends the feed. */
  readonly signal?: AbortSignal;
}

/**
 * Changes may be missing here: query what you need, then go on.
 * - `versions`: changes of one session, between two of its versions.
 * - `unreadable`: changes that the engine can no longer read or send; it does not know whose.
 * - `trimmed`: the engine no longer has all changes behind the cursor.
 * - `rolled-back`: the engine has lost the end of its log; it makes those changes again.
 * - `replaced`: the engine now has another log; it is read from its start.
 */
export interface Gap {
  readonly kind: "gap";
  readonly reason: "versions" | "unreadable" | LogGap;
  readonly cursor: string;
  readonly workspace?: string;
  readonly sessionId?: string;
  /** The last version seen, and the next one available. */
  readonly after?: number;
  readonly before?: number;
}

/** Store `cursor` together with what you made of the item: reading goes on behind it. */
export type ChangeItem = { readonly kind: "change"; readonly change: Change; readonly cursor: string } | Gap;

/** Whether this is a change, and one that was asked for. */
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
