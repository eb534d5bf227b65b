// Trimming
// How much of the journal nobody needs any more.
//
//   Owns:          marks (where the journal stood, and when, at each sweep), the last entry that may go.
//   Does not own:  letting it go (maintenance, pressure, journal), rows of the store (sweep), room in a journal (journal-room).
//
// TRIMMING-1. An entry that was applied goes when it is older than 7 days, or 1 GiB of entries came after it. No
//     session keeps it, however long that is open: what a session is stands in its rows, durable before its entries
//     count as applied, and nothing is built again from entries. Whoever looks back (history, one entry) finds them as
//     long as changes.
// TRIMMING-2. The entry at the cursor stays: by it a reader tells its journal from another. So do all that are not
//     applied yet.
// TRIMMING-3. What goes is read off durable rows. Letting it go needs no entry of its own, and changes nothing else: a
//     crash before or after it leaves a journal that the store fits.
// TRIMMING-4. Above high water (3/4 of what the journal may hold) entries go down to half of it, the oldest first,
//     however young they are and whoever is open: what sessions are stands in the store, and an entry behind the cursor
//     is there for those who look back.
// TRIMMING-5. Entries count by what they take up in the journal, whatever can be read of them.
// TRIMMING-6. Where the journal takes a word of the engine's own no more, all entries that are applied go, and it is
//     tried again.

import { believedOf } from "../journal-time.ts";
import { after, keys } from "../rows/keys.ts";
import type { Meta } from "../rows/meta.ts";
import type { Layer } from "../rows/overlay.ts";
import type { JournalEntry, Store } from "../ports.ts";

/** All entries up to `position` have a stamp of at most `at`, and `bytes` in all. */
export interface Mark {
  readonly position: number;
  readonly at: number;
  readonly bytes: number;
}

/** How much of what was applied is kept: the last `ms`, or the last `bytes` where that is less. */
export interface JournalKept {
  readonly ms: number;
  readonly bytes: number;
}

export const JOURNAL_KEPT: JournalKept = { ms: 7 * 24 * 60 * 60 * 1000, bytes: 1024 ** 3 };

/** Notes where the journal stands; marks of entries that are gone go too. */
export function mark(layer: Layer, { position, at }: JournalEntry, bytes: number, trimmed: number): void {
  for (const key of [...layer.keys(keys.marks)]) if (key < keys.mark(trimmed)) layer.delete(key);
  layer.set(keys.mark(position), { position, at, bytes } satisfies Mark);
}

/** @returns the position up to which entries may go; 0 when none may. */
export function trimmable(store: Store, meta: Meta, kept = JOURNAL_KEPT): number {
  const { position, bytes } = meta;
  const until = believedOf(meta) - kept.ms;
  let upTo = 0;
  for (const [, text] of store.range({ gte: keys.marks, lt: after(keys.marks) })) {
    // Mark rows are written by `mark` only.
    const found = JSON.parse(text) as Mark;
    const isOld = found.at <= until || bytes - found.bytes >= kept.bytes;
    if (!isOld) break;
    upTo = found.position;
  }
  return Math.max(0, Math.min(upTo, position - 1));
}

/**
 * Of a journal that is too full.
 * @returns the position up to which entries have to go, so that at most `bytes` of those that are applied stay.
 */
export function pressed(store: Store, meta: Meta, bytes: number): number {
  for (const [, text] of store.range({ gte: keys.marks, lt: after(keys.marks) })) {
    // Mark rows are written by `mark` only.
    const found = JSON.parse(text) as Mark;
    if (meta.bytes - found.bytes <= bytes) return Math.min(found.position, meta.position - 1);
  }
  return meta.position - 1;
}
