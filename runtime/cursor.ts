// Cursor
// Whether a journal is still the one a cursor was taken from.
//
//   Owns:          the three ways a journal can have regressed.
//   Does not own:  where cursors and journals are kept.
//
// J1. A reader goes on only where nothing is missing between its cursor and the next entry.

import { journalRegressed } from "./errors.ts";
import type { Cursor } from "./ports.ts";

/** A journal as it is found. Kept are the entries after `trimmed`, up to `tail`. */
export interface JournalExtent {
  readonly incarnation: string;
  readonly trimmed: number;
  readonly tail: number;
}

/**
 * @param cursor where the reader stopped; undefined for a fresh store, which starts at the oldest entry kept.
 * @returns the cursor to read on from.
 * @throws JournalRegressed when the journal is another one, is shorter than what was read, or lacks what was not.
 */
export function resume(cursor: Cursor | undefined, journal: JournalExtent): Cursor {
  if (cursor === undefined) return { incarnation: journal.incarnation, position: journal.trimmed };
  if (cursor.incarnation !== journal.incarnation) {
    throw journalRegressed(`it is "${journal.incarnation}", the cursor is from "${cursor.incarnation}"`);
  }
  if (journal.tail < cursor.position) {
    throw journalRegressed(`it ends at ${journal.tail}, the cursor stands at ${cursor.position}`);
  }
  checkKept(cursor.position, journal.trimmed);
  return cursor;
}

/** @throws JournalRegressed when entries after `position` were let go. */
export function checkKept(position: number, trimmed: number): void {
  if (trimmed > position) {
    throw journalRegressed(`entries up to ${trimmed} were let go, the cursor stands at ${position}`);
  }
}
