// Tombs
// Remembers the ids of removed actors for a limited time, so that they do not seem new.
//
//   Owns:          tombstones of requests, of sessions and of sessions that never began; removing them, piece by piece.
//   Does not own:  removing the actors (removal), when a tombstone is old enough (sweep).
//
// TOMBS-1. A message that repeats a removed id is late until the tombstone is removed. A session that came back keeps the
//     ids it has seen; when it is removed again, its newest tombstone keeps them.
// TOMBS-2. A message to a session that does not exist leaves its id and its rejection, which get a tombstone, too.
// TOMBS-3. A session's ledger outlives its tombstone, so that a session that comes back continues its count. The ledger
//     is removed when no row names one of its changes any more, or at once if nothing was counted.

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
  /** Absent for a session, of which everything is removed. */
  readonly ids?: readonly string[];
}

export type Last = Pick<Tomb, "at" | "home">;

/** Notes that a session is removed. Must be called before its row is removed. */
export function entomb(layer: Layer, home: Address, at: number): void {
  noteRemoval(layer, home, at);
  layer.set(keys.tomb(at, home, "session"), { at, home } satisfies Tomb);
}

/** Makes a tombstone for a session that got messages but does not exist (TOMBS-2). */
export function entombStranger(layer: Layer, home: Address, at: number): void {
  if (actorRow(layer, home) !== undefined) return;
  const { removedAt, buried } = ledger(layer, home);
  if (removedAt === undefined || buried) entomb(layer, home, at);
}

/**
 * Removes a tombstone's ids, so that a message that repeats one is new again. Removes at most `rowsMax` rows.
 * @returns how many it removed; undefined if some remain, and the tombstone must be kept.
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

/** Removes the rest of a session (TOMBS-3), unless it has come back. */
export function forget(layer: Layer, { at, home }: Last): number {
  const { removedAt, buried } = ledger(layer, home);
  if (actorRow(layer, home) !== undefined || removedAt !== at || !buried) return 0;
  layer.delete(keys.ledger(home));
  return 1;
}
