// Changes
// The options of a feed of state changes, and the items that the feed yields.
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

/** A state that an actor entered. The type of `view` depends on `entity`. */
export type Change = {
  [E in Entity]: Omit<StateChange, "entity" | "view"> & { readonly entity: E; readonly view: Views[E] };
}[Entity];

export interface ChangesOptions {
  /** The workspace whose changes are read; by default the client's own; `*` for all workspaces that the user may read. */
  readonly workspace?: string;
  readonly session?: string;
  readonly entity?: Entity;
  readonly id?: string;
  /** Selects the changes that entered this state; `annotated` selects the changes that only added an annotation. */
  readonly state?: string;
  /**
   * Where the feed starts: after the last stored cursor; at `start` with all changes that the engine has; at `now`, the default,
   * with new changes only.
   */
  readonly from?: string;
  /** The last stored version of each session, by `<workspace>/<session>`: changes up to that version are skipped. */
  readonly versions?: Iterable<readonly [session: string, version: number]>;
  /** Ends the feed when it is aborted. */
  readonly signal?: AbortSignal;
}

/**
 * Says that changes may be missing at this point of the feed: query what you need, then go on reading. The reasons:
 * - `versions`: changes of one session are missing, between two of its versions.
 * - `unreadable`: the engine can no longer read or send some changes; their session is not known.
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
  /** The last version that was received before the gap. */
  readonly after?: number;
  /** The first version that is available after the gap. */
  readonly before?: number;
}

/** An item of the feed. Store `cursor` with what you made of the change: a feed that starts at it continues after this change. */
export type ChangeItem = { readonly kind: "change"; readonly change: Change; readonly cursor: string } | Gap;

/** True if `value` is a change that the filter lets pass. */
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
