// Tombs
// What is remembered of what is gone: ids that would otherwise seem new, and how long.
//
//   Owns:          tombstones of requests and sessions, of sessions that never came to be; forgetting them, piece by piece.
//   Does not own:  taking away what a tombstone stands for (removal), when one is old enough (sweep).
//
// TOMBS-1. What repeats a removed id comes late until its tombstone goes. A session that came back keeps the ids it has
//     seen, and one that was removed again keeps them for its newest tombstone.
// TOMBS-2. A message to a session that is not there leaves its id, and its rejection: they have a tombstone, too.
// TOMBS-3. A session's ledger outlives its tombstone: one that comes back goes on counting. It goes last, when no row
//     that names one of its changes is left; at once where nothing was ever counted.

import { type Address, GONE_BOOKS } from "../../machines/index.ts";
import { actorRow } from "../rows/actor-rows.ts";
import { dropAlarms } from "../rows/alarms.ts";
import { HOLD_TIMER } from "../rows/holdback-rows.ts";
import { keys } from "../rows/keys.ts";
import { ledger, noteForgotten, noteRemoval } from "../rows/ledger.ts";
import { firstKeys, type Layer } from "../rows/overlay.ts";

export interface Tomb {
  readonly at: number;
  readonly home: Address;
  /** Absent for a session: then everything kept of it goes. */
  readonly ids?: readonly string[];
}

/** Of a session whose tombstone has gone. */
export type Last = Pick<Tomb, "at" | "home">;

/** Notes that a session is taken away: before its row goes. */
export function entomb(layer: Layer, home: Address, at: number): void {
  noteRemoval(layer, home, at);
  layer.set(keys.tomb(at, home, "session"), { at, home } satisfies Tomb);
}

/** Gives a session that is not there, but was told something, the tombstone it would have had (TOMBS-2). */
export function entombStranger(layer: Layer, home: Address, at: number): void {
  if (actorRow(layer, home) !== undefined) return;
  const { removedAt, buried } = ledger(layer, home);
  if (removedAt === undefined || buried) entomb(layer, home, at);
}

/**
 * Forgets a removal: what repeats it now is new. Takes away at most `rowsMax` rows.
 * @returns how many it took; undefined where some are left, and the tombstone has to stay.
 */
export function forgetRemoval(layer: Layer, { at, home, ids }: Tomb, rowsMax: number): number | undefined {
  for (const id of ids ?? []) layer.delete(keys.books(home) + GONE_BOOKS + id);
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

/** Forgets a session wholly (TOMBS-3), unless it came back since. */
export function forget(layer: Layer, { at, home }: Last): number {
  const { removedAt, buried } = ledger(layer, home);
  if (actorRow(layer, home) !== undefined || removedAt !== at || !buried) return 0;
  layer.delete(keys.ledger(home));
  return 1;
}
