// Tombs
// Remembers the ids of what was removed, so that they do not seem new, for a limited time.
//
//   Owns:          tombstones of requests, of sessions and of sessions that never began; forgetting them, piece by
//                  piece.
//   Does not own:  removing what a tombstone stands for (removal), when a tombstone is old enough (sweep).
//
// TOMBS-1. A message that repeats a removed id is late until the tombstone goes. A session that came back keeps the ids
//     it has seen; when it is removed again, they are kept for its newest tombstone.
// TOMBS-2. A message to a session that does not exist leaves its id and its rejection: these get a tombstone, too.
// TOMBS-3. A session's ledger outlives its tombstone, so that a session that comes back goes on counting. The ledger
//     goes when no row that names one of its changes is left, or at once if nothing was ever counted.

import { type Address, GONE_BOOKS } from "../../machines/index.ts";
import { actorRow } from "../rows/actors/actor-rows.ts";
import { dropAlarms } from "../rows/alarms.ts";
import { HOLD_TIMER } from "../rows/holdback-rows.ts";
import { keys } from "../rows/keys.ts";
import { ledger, noteForgotten, noteRemoval } from "../rows/ledger.ts";
import { firstKeys, type Layer } from "../rows/overlay.ts";

export interface Tomb {
  readonly at: number;
  readonly home: Address;
  /** Absent for a session: then everything kept of the session goes. */
  readonly ids?: readonly string[];
}

/** Of a session whose tombstone is gone. */
export type Last = Pick<Tomb, "at" | "home">;

/** Notes that a session is removed; call it before its row goes. */
export function entomb(layer: Layer, home: Address, at: number): void {
  noteRemoval(layer, home, at);
  layer.set(keys.tomb(at, home, "session"), { at, home } satisfies Tomb);
}

/** Makes a tombstone for a session that was sent messages but does not exist (TOMBS-2). */
export function entombStranger(layer: Layer, home: Address, at: number): void {
  if (actorRow(layer, home) !== undefined) return;
  const { removedAt, buried } = ledger(layer, home);
  if (removedAt === undefined || buried) entomb(layer, home, at);
}

/**
 * Forgets a removal: a message that repeats its ids is new again. Removes at most `rowsMax` rows.
 * @returns how many it removed; undefined if some are left, so that the tombstone must stay.
 */
export function forgetRemoval(layer: Layer, { at, home, ids }: Tomb, rowsMax: number): number | undefined {
  for (const id of ids ?? []) layer.delete(`${keys.books(home)}${GONE_BOOKS}/${id}`);
  if (ids) return ids.length;
  const { removedAt, changes, closedAt, closedBy } = ledger(layer, home);
  if (actorRow(layer, home) !== undefined || removedAt !== at) return 0;
  let rows = 0;
  for (const prefix of [keys.seenOf(home), keys.linesOf(home), keys.books(home)])
    for (const key of firstKeys(layer, prefix, rowsMax - rows)) {
      layer.delete(key);
      rows += 1;
    }
  if (rows >= rowsMax) return undefined;
  layer.delete(keys.holdback(home));
  dropAlarms(layer, home, [HOLD_TIMER]);
  if (changes === undefined && closedAt === undefined && closedBy === undefined)
    layer.delete(keys.ledger(home));
  else {
    noteForgotten(layer, home);
    layer.set(keys.last(at, home), { at, home } satisfies Last);
  }
  return rows;
}

/** Forgets a session entirely (TOMBS-3), unless it has come back. */
export function forget(layer: Layer, { at, home }: Last): number {
  const { removedAt, buried } = ledger(layer, home);
  if (actorRow(layer, home) !== undefined || removedAt !== at || !buried) return 0;
  layer.delete(keys.ledger(home));
  return 1;
}
