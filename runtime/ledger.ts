// Ledger
// What the runtime keeps for a session beside its machines: its version, what it turned away, whether it is closed to approvals.
//
//   Owns:          the version of a session, which change is its newest, the ring of its last rejections, when it was last removed or closed.
//   Does not own:  dead letters.
//
// I-20. A message turned away adds one record here, and changes nothing else.

import type { Address } from "../machines/index.ts";
import { keys } from "./keys.ts";
import type { Layer, Readable } from "./overlay.ts";

export interface RejectionRecord {
  readonly position: number;
  readonly at: number;
  readonly what: string;
  readonly reason: string;
}

export interface Ledger {
  readonly version: number;
  /** The number of its newest change. */
  readonly newest?: number;
  readonly rejected: number;
  /** The newest last. */
  readonly rejections: readonly RejectionRecord[];
  /** The entry that was passed over as poison: nothing is approved any more (poison). */
  readonly closedAt?: number;
  /** The journal's stamp of its last removal, ms. */
  readonly removedAt?: number;
}

const RING = 20;
const FRESH: Ledger = { version: 0, rejected: 0, rejections: [] };

export function ledger(rows: Readable, session: Address): Ledger {
  return (rows.get(keys.ledger(session)) as Ledger | undefined) ?? FRESH;
}

export function reject(layer: Layer, session: Address, record: RejectionRecord): void {
  const before = ledger(layer, session);
  const rejections = [...before.rejections.slice(1 - RING), record];
  layer.set(keys.ledger(session), { ...before, rejected: before.rejected + 1, rejections } satisfies Ledger);
}

/** Closes a session to approvals for good. */
export function closeSession(layer: Layer, session: Address, closedAt: number): void {
  layer.set(keys.ledger(session), { ...ledger(layer, session), closedAt } satisfies Ledger);
}

/** Takes the next `count` versions, for changes that end with number `newest`. @returns the ledger before. */
export function takeVersions(layer: Layer, session: Address, count: number, newest: number): Ledger {
  const before = ledger(layer, session);
  layer.set(keys.ledger(session), { ...before, version: before.version + count, newest } satisfies Ledger);
  return before;
}

/** Notes that a session was taken away at journal time `at`, ms. */
export function noteRemoval(layer: Layer, session: Address, at: number): void {
  layer.set(keys.ledger(session), { ...ledger(layer, session), removedAt: at } satisfies Ledger);
}
