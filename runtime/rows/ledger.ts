// Ledger
// The runtime's own record of a session: the session's version, its rejections, whether the session is closed to approvals.
//
//   Owns:          counting the changes of a session, the session's newest rejections, when the session was last removed or
//                  closed.
//   Does not own:  dead letters (dead-letters).
//
// I-20. A rejected message adds one record to the ledger, and changes nothing else of the session.
// LEDGER-1. The row of a session's actor contains the count of the session's changes, because the engine writes this row at
//     each change anyway. When the row is removed, the count moves into the ledger. So if a removed session begins anew, its
//     count continues.

import { type Address, defined } from "../../machines/index.ts";
import { actorRow, type ActorRow, type Counted } from "./actors/actor-rows.ts";
import { keys } from "./keys.ts";
import type { Layer, Readable } from "./overlay.ts";
import type { TraceNotes } from "./trace-notes.ts";

export interface RejectionRecord {
  readonly position: number;
  readonly at: number;
  readonly what: string;
  readonly reason: string;
}

export interface Ledger {
  readonly changes?: Counted;
  readonly rejected: number;
  readonly rejections: readonly RejectionRecord[];
  /** The dead letters that close the session to approvals: their entries were set aside, and may have been denials (closed). */
  readonly closedBy?: readonly number[];
  /** The last entry that closed the session, as builds before release 0.1.0 stored it; it stays until that entry is retried. */
  readonly closedAt?: number;
  readonly removedAt?: number;
  /** True if the session was removed, and later also the tombstone of this removal. */
  readonly buried?: true;
}

const RING = 20;
const FRESH: Ledger = { rejected: 0, rejections: [] };

export function ledger(rows: Readable, session: Address): Ledger {
  return (rows.get(keys.ledger(session)) as Ledger | undefined) ?? FRESH;
}

export function reject(layer: Layer, session: Address, record: RejectionRecord): void {
  const before = ledger(layer, session);
  const rejections = [...before.rejections.slice(1 - RING), record];
  layer.set(keys.ledger(session), { ...before, rejected: before.rejected + 1, rejections } satisfies Ledger);
}

/** Stores which dead letters close a session to approvals; none if the session is open. */
export function noteClosed(
  layer: Layer,
  session: Address,
  { closedBy = [], closedAt }: Pick<Ledger, "closedBy" | "closedAt">,
): void {
  const { closedBy: _, closedAt: _before, ...kept } = ledger(layer, session);
  layer.set(keys.ledger(session), {
    ...kept,
    ...(closedBy.length > 0 && { closedBy }),
    ...defined({ closedAt }),
  } satisfies Ledger);
}

/** How many changes a session has had over its whole life; undefined before the first one. */
export function countedOf(rows: Readable, session: Address): Counted | undefined {
  return actorRow(rows, session)?.changes ?? ledger(rows, session).changes;
}

/**
 * Counts `count` more changes of a session; the last of these changes has the number `newest`.
 * @param traces the present notes of the session's open work (trace-notes).
 * @returns the count as it was before.
 */
export function countChanges(
  layer: Layer,
  session: Address,
  {
    count,
    newest,
    traces,
  }: { readonly count: number } & Pick<Counted, "newest"> & { readonly traces: TraceNotes | undefined },
): Counted | undefined {
  const row = actorRow(layer, session);
  const before = row?.changes ?? ledger(layer, session).changes;
  const changes: Counted = { version: (before?.version ?? 0) + count, newest, ...defined({ traces }) };
  if (row) layer.set(keys.actor(session), { ...row, changes } satisfies ActorRow);
  else layer.set(keys.ledger(session), { ...ledger(layer, session), changes } satisfies Ledger);
  return before;
}

/** Stores that a session is removed at the journal time `removedAt`, ms. Must be called before the session's row is removed. */
export function noteRemoval(layer: Layer, session: Address, removedAt: number): void {
  const changes = countedOf(layer, session);
  const left = changes ? { changes, removedAt } : { removedAt };
  const { buried: _, ...before } = ledger(layer, session);
  layer.set(keys.ledger(session), { ...before, ...left } satisfies Ledger);
}

/** Removes the reasons of a session's rejections, but keeps the number of rejections. */
export function noteUnreasoned(layer: Layer, session: Address): void {
  layer.set(keys.ledger(session), { ...ledger(layer, session), rejections: [] } satisfies Ledger);
}

/** Stores that the tombstone of the session's last removal was removed. */
export function noteForgotten(layer: Layer, session: Address): void {
  layer.set(keys.ledger(session), { ...ledger(layer, session), buried: true } satisfies Ledger);
}
