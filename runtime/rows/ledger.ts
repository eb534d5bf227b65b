// Ledger
// What the runtime keeps for a session beside its machines: its version, what it turned away, whether it is closed to approvals.
//
//   Owns:          counting a session's changes, the ring of its last rejections, when it was last removed or closed.
//   Does not own:  dead letters.
//
// I-20. A message turned away adds one record here, and changes nothing else.
// LEDGER-1. A session's changes are counted in its actor's row, which they write anyway. When that goes, the count goes
//     into the ledger, so that a session that comes back goes on counting.

import type { Address } from "../../machines/index.ts";
import { actorRow, type ActorRow, type Counted } from "./actor-rows.ts";
import { keys } from "./keys.ts";
import type { Layer, Readable } from "./overlay.ts";

export interface RejectionRecord {
  readonly position: number;
  readonly at: number;
  readonly what: string;
  readonly reason: string;
}

export interface Ledger {
  /** As they were when the session was last taken away (LEDGER-1). */
  readonly changes?: Counted;
  readonly rejected: number;
  /** The newest last. */
  readonly rejections: readonly RejectionRecord[];
  /** The letters of entries that were passed over and may have been denials: nothing is approved any more (closed). */
  readonly closedBy?: readonly number[];
  /** The same in version 0.1.0: the last such entry. */
  readonly closedAt?: number;
  /** The journal's stamp of its last removal, ms: of the tombstone that is there, or was the last one. */
  readonly removedAt?: number;
  /** That tombstone has gone. */
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

/** Notes by what a session is closed to approvals from now on; by nothing, that it is open. */
export function noteClosed(
  layer: Layer,
  session: Address,
  { closedBy = [], closedAt }: Pick<Ledger, "closedBy" | "closedAt">,
): void {
  const { closedBy: _, closedAt: _before, ...kept } = ledger(layer, session);
  layer.set(keys.ledger(session), {
    ...kept,
    ...(closedBy.length > 0 && { closedBy }),
    ...(closedAt !== undefined && { closedAt }),
  } satisfies Ledger);
}

/** A session's changes so far, over all its life; undefined before the first. */
export function countedOf(rows: Readable, session: Address): Counted | undefined {
  return actorRow(rows, session)?.changes ?? ledger(rows, session).changes;
}

/** Counts `count` more changes of a session, which end with number `newest`. @returns those before. */
export function countChanges(
  layer: Layer,
  session: Address,
  count: number,
  newest: number,
): Counted | undefined {
  const row = actorRow(layer, session);
  const before = row?.changes ?? ledger(layer, session).changes;
  const changes: Counted = { version: (before?.version ?? 0) + count, newest };
  if (row) layer.set(keys.actor(session), { ...row, changes } satisfies ActorRow);
  else layer.set(keys.ledger(session), { ...ledger(layer, session), changes } satisfies Ledger);
  return before;
}

/** Notes that a session is taken away at journal time `at`, ms: before its row goes. */
export function noteRemoval(layer: Layer, session: Address, removedAt: number): void {
  const changes = countedOf(layer, session);
  const left = changes ? { changes, removedAt } : { removedAt };
  const { buried: _, ...before } = ledger(layer, session);
  layer.set(keys.ledger(session), { ...before, ...left } satisfies Ledger);
}

/** Notes that the tombstone of its last removal has gone. */
export function noteForgotten(layer: Layer, session: Address): void {
  layer.set(keys.ledger(session), { ...ledger(layer, session), buried: true } satisfies Ledger);
}
