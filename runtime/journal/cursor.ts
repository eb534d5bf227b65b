// Cursor
// Checks whether a journal is still the one that a cursor belongs to, and finds the entries that the journal lacks.
//
//   Owns:          whether a journal fits a cursor; which entries are missing after a cursor.
//   Does not own:  storing cursors and journals, handling missing entries (missing).
//
// JOURNAL-CURSOR-1. If entries after its cursor are missing, a reader continues only if it is allowed to skip missing entries.
//     Then the reader is told which entries are missing.
// JOURNAL-CURSOR-2. A new store expects the journal from entry 1 on. So for a new store, both the entries that the journal has
//     dropped and the entries that another key sealed count as missing.

import { journalLacks, journalRegressed } from "../errors/errors.ts";
import type { Cursor, JournalEntry, Missing } from "../ports.ts";

/** Which entries a journal has: those after `trimmed`, up to `tail`, except the ones in `holes`. */
export interface JournalExtent {
  readonly incarnation: string;
  readonly trimmed: number;
  readonly tail: number;
  /** Positions without an entry, in order. */
  readonly holes?: readonly Missing[];
  /** Entries that were sealed with another key, in order. Nobody knows whether these entries are genuine. */
  readonly sealed?: readonly Missing[];
}

/** The cursor from which reading continues, and the entries that are missing after it. */
export interface Resumed {
  readonly cursor: Cursor;
  /** The missing entries, in order. */
  readonly missing: readonly Missing[];
}

/**
 * @param cursor where the reader stopped; undefined for a new store, which has read nothing.
 * @param past true if the reader continues past missing entries.
 * @throws JournalRegressed if the journal is another one, is shorter than what was read, or lacks unread entries.
 */
export function resume(cursor: Cursor | undefined, journal: JournalExtent, past = false): Resumed {
  const from = cursor ?? { incarnation: journal.incarnation, position: 0 };
  if (from.incarnation !== journal.incarnation) {
    throw journalRegressed(`it is "${journal.incarnation}", the cursor is from "${from.incarnation}"`);
  }
  if (journal.tail < from.position) {
    throw journalRegressed(`it ends at ${journal.tail}, the cursor is at ${from.position}`);
  }
  const gone = goneAfter(from.position, journal);
  const sealed = behind(from.position, journal.sealed ?? []);
  const missing = joined([...gone, ...sealed].sort((a, b) => a.first - b.first));
  if (missing.length > 0 && !past)
    throw journalLacks(missing, { isFresh: cursor === undefined, gone, sealed });
  return { cursor: from, missing };
}

function goneAfter(position: number, { trimmed, holes = [] }: JournalExtent): readonly Missing[] {
  const cut = trimmed > position ? [{ first: position + 1, last: trimmed }] : [];
  return joined([...cut, ...behind(Math.max(position, trimmed), holes)]);
}

const behind = (position: number, ranges: readonly Missing[]): readonly Missing[] =>
  ranges.flatMap(({ first, last }) =>
    last > position ? [{ first: Math.max(first, position + 1), last }] : [],
  );

/** Joins adjacent ranges; the ranges are in order. */
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

export const rangesOf = (positions: readonly number[]): readonly Missing[] =>
  joined(positions.map((position) => ({ first: position, last: position })));

/** @throws JournalRegressed if entries after `position` were trimmed. */
export function checkKept(position: number, trimmed: number): void {
  if (trimmed > position) throw journalLacks([{ first: position + 1, last: trimmed }]);
}

/** The ranges of missing entries that a reader knows and skips. */
export class Gaps {
  #missing: readonly Missing[] = [];

  accept(missing: readonly Missing[]): void {
    this.#missing = missing;
  }

  get any(): boolean {
    return this.#missing.length > 0;
  }

  /** The entry that stands for the missing entries right after a position; undefined if the next entry is not missing. */
  after(position: number): JournalEntry | undefined {
    const gap = this.#around(position + 1);
    // The entry that stands for missing entries has no time stamp, so its turn gets the time of the turn before.
    return gap && { position: gap.last, at: 0, body: "", missingFrom: position + 1 };
  }

  /** True if the reader skips the entry at a position, even if that entry exists. */
  covers(position: number): boolean {
    return this.#around(position) !== undefined;
  }

  /** Those of the given missing entries that the reader did not know yet. */
  unknown(missing: readonly Missing[]): readonly Missing[] {
    return missing.filter(({ first, last }) => (this.#around(first)?.last ?? 0) < last);
  }

  /** The range that contains a position. A binary search finds it, because there may be as many ranges as entries. */
  #around(position: number): Missing | undefined {
    let [low, high] = [0, this.#missing.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#missing[middle]?.last ?? Infinity) < position) low = middle + 1;
      else high = middle;
    }
    const found = this.#missing[low];
    return found && found.first <= position ? found : undefined;
  }
}
