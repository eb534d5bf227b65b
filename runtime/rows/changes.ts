// Changes
// The changes of actors' states, in the form in which they are logged and published.
//
//   Owns:          the shape of a change; finding the change between two snapshots of an actor; which of an actor's data no
//                  view shows.
//   Does not own:  numbering the changes (turn), the subject of a change (subjects), publishing (outbox).
//   Decided in:    docs/decisions/0025-change-log-and-histories.md.
//   Decided in:    docs/decisions/0035-plain-keys-first.md.
//   Decided in:    docs/decisions/0061-followers-hear-of-more-than-states.md.
//
// I-29. The versions of a session's changes are 1, 2, 3, … without a gap, in the order in which the changes happened.
// ROWS-CHANGES-1. Each event that alters what the view of a call or an approval shows makes a change for followers. The change
//     names the state that was entered, or `annotated` if the state stayed the same. So no follower has to query again.
// ROWS-CHANGES-2. An event that alters only data that no view shows, or that repeats known facts, makes no change.

import {
  type ActorKind,
  type AddressParts,
  type ApprovalContext,
  type CallContext,
  defined,
  type RequestContext,
  type SessionContext,
} from "../../machines/index.ts";
import type { Snapshot } from "./actors/actors.ts";
import {
  alarmIn,
  alarmView,
  approvalView,
  type BatchFacts,
  callView,
  CLEARED,
  regionOf,
  requestView,
  sessionView,
} from "./views.ts";

export const ENTITIES = ["session", "request", "callback", "toolcall", "approval", "alarm"] as const;
export type Entity = (typeof ENTITIES)[number];

export interface StateChange {
  readonly n: number;
  readonly previous?: number;
  readonly entity: Entity;
  readonly id: string;
  readonly workspace: string;
  readonly sessionId: string;
  readonly requestId?: string;
  readonly version: number;
  readonly epoch: number;
  /** The journal position of the message that caused the change. All changes of a turn have the same position. */
  readonly turn: number;
  readonly part: number;
  readonly parts: number;
  readonly from: string | null;
  readonly to: string;
  readonly at: number;
  readonly cause?: unknown;
  /** On a denial: the calls that were denied in the same turn because of this denial. */
  readonly cascade?: readonly string[];
  /** The span of the request or call, as the sender of its message named it (trace-notes). */
  readonly traceparent?: string;
  readonly view: unknown;
}

/** True for a row that has the fields of a change. */
export function isChange(value: unknown): value is StateChange {
  if (typeof value !== "object" || value === null) return false;
  const { n, version, workspace, sessionId, entity, id, to } = value as Partial<StateChange>;
  const texts = [workspace, sessionId, entity, id, to];
  return [n, version].every(Number.isSafeInteger) && texts.every((text) => typeof text === "string");
}

/** A change before it is numbered at the end of the turn. */
export type DraftChange = Omit<
  StateChange,
  "n" | "previous" | "version" | "epoch" | "turn" | "part" | "parts" | "at" | "cascade" | "traceparent"
>;

interface Region {
  readonly entity: Entity;
  readonly name?: string;
  /** If a new actor begins in this state, that makes no change. */
  readonly silent?: string;
}

const REGIONS: Readonly<Record<ActorKind, readonly Region[]>> = {
  session: [{ entity: "session" }],
  request: [
    { entity: "request", name: "lifecycle" },
    { entity: "callback", name: "callback", silent: "none" },
  ],
  call: [{ entity: "toolcall", name: "execution" }],
  approval: [{ entity: "approval" }],
};

/**
 * The changes between two snapshots of an actor: one for each state that the actor entered. If it entered no state, there is one
 * change `annotated` for late evidence, or if the actor's view shows something new (ROWS-CHANGES-1).
 */
export function changesOf(
  where: AddressParts,
  before: Snapshot | undefined,
  now: Snapshot,
  annotated: boolean,
  batch: BatchFacts | undefined,
): readonly DraftChange[] {
  const entered = REGIONS[where.kind].flatMap((region): DraftChange[] => {
    const from = before ? regionOf(before.value, region.name) : null;
    const to = regionOf(now.value, region.name);
    if (to === from || (from === null && to === region.silent)) return [];
    return [draft(where, region.entity, from, to, now, batch)];
  });
  const alarms = where.kind === "call" ? alarmChanges(where, before, now) : [];
  if (entered.length > 0 || !(annotated || isShownAnew(where.kind, before, now)))
    return [...entered, ...alarms];
  const [{ entity, name }] = REGIONS[where.kind] as readonly [Region];
  return [draft(where, entity, regionOf(now.value, name), "annotated", now, batch), ...alarms];
}

function alarmChanges(
  { workspace, session: sessionId, id }: AddressParts,
  before: Snapshot | undefined,
  now: Snapshot,
): readonly DraftChange[] {
  const from = (before && alarmIn(before)?.kind) ?? null;
  const alarm = alarmIn(now);
  if ((alarm?.kind ?? null) === from) return [];
  const { requestId } = now.context as CallContext;
  const view = alarmView(workspace, sessionId, now);
  const to = alarm?.kind ?? CLEARED;
  const cause = alarm && { because: alarm.because };
  return [{ entity: "alarm", id, workspace, sessionId, requestId, from, to, ...defined({ cause }), view }];
}

function draft(
  where: AddressParts,
  entity: Entity,
  from: string | null,
  to: string,
  now: Snapshot,
  batch: BatchFacts | undefined,
): DraftChange {
  const { workspace, session: sessionId, id } = where;
  switch (where.kind) {
    case "session": {
      const { endReason } = now.context as SessionContext;
      const cause = to === "ended" ? endReason : undefined;
      const view = sessionView(now);
      return { entity, id, workspace, sessionId, from, to, ...defined({ cause }), view };
    }
    case "request": {
      const { error } = now.context as RequestContext;
      const view = requestView(workspace, sessionId, now);
      const cause = to === "failed" ? error : undefined;
      return { entity, id, workspace, sessionId, requestId: id, from, to, ...defined({ cause }), view };
    }
    case "call": {
      const { requestId, denial, missing } = now.context as CallContext;
      const cause = to === "denied" ? denial : to === "missing-post" ? missing : undefined;
      const view = callView(sessionId, now, batch);
      return { entity, id, workspace, sessionId, requestId, from, to, ...defined({ cause }), view };
    }
    case "approval": {
      const { requestId } = now.context as ApprovalContext;
      const view = approvalView(workspace, sessionId, now);
      return { entity, id, workspace, sessionId, requestId, from, to, view };
    }
  }
}

/**
 * The text with which the ids of a session's published changes begin (`messageIdOf`).
 * @param log the name of the change log, if it was begun again.
 */
export const lineIdOf = (workspace: string, session: string, log?: string): string =>
  `${log === undefined ? "" : `${log}/`}${workspace}/${session}`;

/** The id under which a change is published. The same change of a log always has the same id. */
export function messageIdOf(
  { workspace, sessionId, version }: Pick<StateChange, "workspace" | "sessionId" | "version">,
  log?: string,
): string {
  return `${lineIdOf(workspace, sessionId, log)}:${version}`;
}

/**
 * Fields of a call that may change without a published change. The output, for example, is only in the answer to a query for
 * the whole call.
 */
const CALL: readonly (keyof CallContext)[] = ["updatedAt", "deferred", "gated", "gateAsked", "ran", "output"];
const APPROVAL: readonly (keyof ApprovalContext)[] = [
  "updatedAt",
  "requestedBy",
  "taken",
  "alone",
  "left",
  "ran",
  "notRun",
];
const UNSHOWN = { call: new Set<string>(CALL), approval: new Set<string>(APPROVAL) };

/**
 * True if the view of a call or approval shows something else than before, so that a change `annotated` is published. Always
 * false for a session or request: only a new state of these is published.
 */
function isShownAnew(kind: string, before: Snapshot | undefined, now: Snapshot): boolean {
  if (!before || (kind !== "call" && kind !== "approval")) return false;
  const [was, is] = [before.context, now.context];
  const names = new Set([...Object.keys(was), ...Object.keys(is)]);
  return [...names].some(
    (name) => !UNSHOWN[kind].has(name) && isOther(Reflect.get(was, name), Reflect.get(is, name)),
  );
}

/** True if two values differ. Unchanged values are mostly the same object, so that few have to be compared as texts. */
const isOther = (one: unknown, other: unknown): boolean =>
  one !== other && JSON.stringify(one) !== JSON.stringify(other);
