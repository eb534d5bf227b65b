// Tombs
// Stores tombstones: the ids of removed actors, for a limited time, so that a late message does not create the actors anew.
//
//   Owns:          the tombstones of requests, of sessions, and of sessions that never began; removing a tombstone in several
//                  turns.
//   Does not own:  removing the actors (removal), when a tombstone is old enough (sweep).
//
// TOMBS-1. As long as a tombstone is stored, a message that names one of the tombstone's ids counts as late. If a removed
//     session begins anew, the ids of the messages that it got before its removal stay stored, even when the old tombstone is
//     removed: they are removed with the session's newest tombstone.
// TOMBS-2. Of a message to a session that does not exist, the message's id and a rejection record are stored. A tombstone is
//     stored for both, so that they are removed later.
// TOMBS-3. The ledger of a session stays longer than its tombstone, so a session that begins anew goes on counting its changes
//     where it stopped. The ledger is removed when no row names one of the session's changes any more, or together with the
//     tombstone if the session had no change.

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
  /** The ids of the removed actors; absent for a session's tombstone, which stands for all ids of the session. */
  readonly ids?: readonly string[];
}

export type Last = Pick<Tomb, "at" | "home">;

/** Writes a session's tombstone. Must be called before the session's row is removed. */
export function entomb(layer: Layer, home: Address, at: number): void {
  noteRemoval(layer, home, at);
  layer.set(keys.tomb(at, home, "session"), { at, home } satisfies Tomb);
}

/** Writes a tombstone for a session that does not exist although messages were sent to it (TOMBS-2). */
export function entombStranger(layer: Layer, home: Address, at: number): void {
  if (actorRow(layer, home) !== undefined) return;
  const { removedAt, buried } = ledger(layer, home);
  if (removedAt === undefined || buried) entomb(layer, home, at);
}

/**
 * Removes at most `rowsMax` rows of a tombstone's ids.
 * @returns how many; undefined if ids remain, so that the tombstone must be kept.
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

/** Removes a session's ledger, the last row of the session (TOMBS-3), unless the session has come back. */
export function forget(layer: Layer, { at, home }: Last): number {
  const { removedAt, buried } = ledger(layer, home);
  if (actorRow(layer, home) !== undefined || removedAt !== at || !buried) return 0;
  layer.delete(keys.ledger(home));
  return 1;
}
