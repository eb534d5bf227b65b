// Cursor
// Whether a journal is still the one a cursor was taken from, and what it lacks.
//
//   Owns:          the ways a journal can have regressed; which entries are gone behind a cursor.
//   Does not own:  where cursors and journals are kept, what comes of what is gone (missing).
//
// RUNTIME-CURSOR-1. A reader goes on only where nothing is missing between its cursor and the next entry, or where it
//     was told to go on past what is missing: then that is read as what it is.

import { journalLacks, journalRegressed } from "./errors.ts";
import type { Cursor, JournalEntry, Missing } from "./ports.ts";

/** A journal as it is found. Kept are the entries after `trimmed`, up to `tail`, but for its holes. */
export interface JournalExtent {
  readonly incarnation: string;
  readonly trimmed: number;
  readonly tail: number;
  /** In order. */
  readonly holes?: readonly Missing[];
}

/** Where to read on from, and what is gone behind it. */
export interface Resumed {
  readonly cursor: Cursor;
  /** In order. */
  readonly missing: readonly Missing[];
}

/**
 * @param cursor where the reader stopped; undefined for a fresh store, which starts at the oldest entry kept.
 * @param past true where the reader goes on past what is missing.
 * @throws JournalRegressed when the journal is another one, is shorter than what was read, or lacks what was not.
 */
export function resume(cursor: Cursor | undefined, journal: JournalExtent, past = false): Resumed {
  const from = cursor ?? { incarnation: journal.incarnation, position: journal.trimmed };
  if (from.incarnation !== journal.incarnation) {
    throw journalRegressed(`it is "${journal.incarnation}", the cursor is from "${from.incarnation}"`);
  }
  if (journal.tail < from.position) {
    throw journalRegressed(`it ends at ${journal.tail}, the cursor stands at ${from.position}`);
  }
  const missing = missingAfter(from.position, journal);
  if (missing.length > 0 && !past) throw journalLacks(missing);
  return { cursor: from, missing };
}

/** The entries after `position` that are not there. */
function missingAfter(position: number, { trimmed, holes = [] }: JournalExtent): readonly Missing[] {
  const cut = trimmed > position ? [{ first: position + 1, last: trimmed }] : [];
  const from = Math.max(position, trimmed);
  const inside = holes.flatMap(({ first, last }) =>
    last > from ? [{ first: Math.max(first, from + 1), last }] : [],
  );
  return joined([...cut, ...inside]);
}

/** Ranges in their order; those that touch are one. */
function joined(ranges: readonly Missing[]): readonly Missing[] {
  const found: Missing[] = [];
  for (const range of ranges) {
    const before = found.at(-1);
    if (before && range.first <= before.last + 1)
      found[found.length - 1] = { first: before.first, last: Math.max(before.last, range.last) };
    else found.push(range);
  }
  return found;
}

/** Numbers in their order as ranges. */
export const rangesOf = (positions: readonly number[]): readonly Missing[] =>
  joined(positions.map((position) => ({ first: position, last: position })));

/** @throws JournalRegressed when entries after `position` were let go. */
export function checkKept(position: number, trimmed: number): void {
  if (trimmed > position) throw journalLacks([{ first: position + 1, last: trimmed }]);
}

/** What is missing and known to be, on the way of a reader. */
export class Gaps {
  #missing: readonly Missing[] = [];

  /** From now on these are passed over. */
  accept(missing: readonly Missing[]): void {
    this.#missing = missing;
  }

  /** True where something is passed over. */
  get any(): boolean {
    return this.#missing.length > 0;
  }

  /** What stands for the entries that are gone right behind a position; undefined where none are. */
  after(position: number): JournalEntry | undefined {
    const gap = this.#missing.find(({ first, last }) => first <= position + 1 && last > position);
    // It has no stamp: its turn takes place at the time of the one before it.
    return gap && { position: gap.last, at: 0, body: "", missingFrom: position + 1 };
  }

  /** Of some missing entries those that were not known to be. */
  unknown(missing: readonly Missing[]): readonly Missing[] {
    return missing.filter(
      ({ first, last }) => !this.#missing.some((known) => known.first <= first && known.last >= last),
    );
  }
}
