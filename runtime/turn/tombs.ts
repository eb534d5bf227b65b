// Tombs
// Stores tombstones: the ids of removed actors, for a limited time, so that a late message does not create the actors anew.
//
//   Owns:          tombstones of requests, of sessions, and of sessions that never began; removing them in several turns.
//   Does not own:  removing the actors (removal), when a tombstone is old enough (sweep).
//
// TOMBS-1. While there is a tombstone, a message that names one of its ids is late. If a removed session comes back, the message
//     ids that it has seen stay. When it is removed again, its newest tombstone holds them.
// TOMBS-2. A message to a session that does not exist leaves its id and a rejection record. Both get a tombstone, too.
// TOMBS-3. The ledger of a session stays longer than its tombstone, so a session that comes back goes on counting its changes.
//     The ledger is removed when no row names one of these changes, or at once if the session had no change.

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
  /** Absent for a session's tombstone, which stands for all ids of the session. */
  readonly ids?: readonly string[];
}

export type Last = Pick<Tomb, "at" | "home">;

/** Writes a session's tombstone. Must be called before the session's row is removed. */
export function entomb(layer: Layer, home: Address, at: number): void {
  noteRemoval(layer, home, at);
  layer.set(keys.tomb(at, home, "session"), { at, home } satisfies Tomb);
}

/** Writes a tombstone for a session that got messages but does not exist (TOMBS-2). */
export function entombStranger(layer: Layer, home: Address, at: number): void {
  if (actorRow(layer, home) !== undefined) return;
  const { removedAt, buried } = ledger(layer, home);
  if (removedAt === undefined || buried) entomb(layer, home, at);
}

/**
 * Removes the ids of a tombstone: a message that names one of them counts as new again. Removes at most `rowsMax` rows.
 * @returns how many it removed; undefined if ids remain, so that the tombstone must be kept.
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

/** Removes the last rows of a session (TOMBS-3), unless the session has come back. */
export function forget(layer: Layer, { at, home }: Last): number {
  const { removedAt, buried } = ledger(layer, home);
  if (actorRow(layer, home) !== undefined || removedAt !== at || !buried) return 0;
  layer.delete(keys.ledger(home));
  return 1;
}
