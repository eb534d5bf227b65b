// Cursor
// Checks whether a journal is still the one a cursor was taken from, and what it lacks.
//
//   Owns:          the ways a journal can have regressed; which entries are missing after a cursor.
//   Does not own:  where cursors and journals are kept, what is done about missing entries (missing).
//
// RUNTIME-CURSOR-1. A reader goes on only if nothing is missing between its cursor and the next entry, or if it was
//     told to go on past missing entries: then it reads them as missing.

import { journalLacks, journalRegressed } from "./errors.ts";
import type { Cursor, JournalEntry, Missing } from "./ports.ts";

/** The state of a journal. It keeps the entries after `trimmed`, up to `tail`, except its holes. */
export interface JournalExtent {
  readonly incarnation: string;
  readonly trimmed: number;
  readonly tail: number;
  /** In order. */
  readonly holes?: readonly Missing[];
}

/** Where to read on from, and what is missing after that. */
export interface Resumed {
  readonly cursor: Cursor;
  /** In order. */
  readonly missing: readonly Missing[];
}

/**
 * @param cursor where the reader stopped; undefined for a fresh store, which starts at the oldest entry kept.
 * @param past true if the reader goes on past what is missing.
 * @throws JournalRegressed if the journal is another one, is shorter than what was read, or lacks unread entries.
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

/** The missing entries after `position`. */
function missingAfter(position: number, { trimmed, holes = [] }: JournalExtent): readonly Missing[] {
  const cut = trimmed > position ? [{ first: position + 1, last: trimmed }] : [];
  const from = Math.max(position, trimmed);
  const inside = holes.flatMap(({ first, last }) =>
    last > from ? [{ first: Math.max(first, from + 1), last }] : [],
  );
  return joined([...cut, ...inside]);
}

/** Ranges in order; adjacent ones are joined. */
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

/** Numbers, in order, as ranges. */
export const rangesOf = (positions: readonly number[]): readonly Missing[] =>
  joined(positions.map((position) => ({ first: position, last: position })));

/** @throws JournalRegressed if entries after `position` were trimmed. */
export function checkKept(position: number, trimmed: number): void {
  if (trimmed > position) throw journalLacks([{ first: position + 1, last: trimmed }]);
}

/** The known missing entries on a reader's way. */
export class Gaps {
  #missing: readonly Missing[] = [];

  /** From now on these are passed over. */
  accept(missing: readonly Missing[]): void {
    this.#missing = missing;
  }

  /** True if anything is passed over. */
  get any(): boolean {
    return this.#missing.length > 0;
  }

  /** The entry that stands for the missing ones right after a position; undefined if none are missing there. */
  after(position: number): JournalEntry | undefined {
    const gap = this.#missing.find(({ first, last }) => first <= position + 1 && last > position);
    // It has no stamp: its turn gets the time of the one before it.
    return gap && { position: gap.last, at: 0, body: "", missingFrom: position + 1 };
  }

  /** Those of some missing entries that were not known to be missing. */
  unknown(missing: readonly Missing[]): readonly Missing[] {
    return missing.filter(
      ({ first, last }) => !this.#missing.some((known) => known.first <= first && known.last >= last),
    );
  }
}
