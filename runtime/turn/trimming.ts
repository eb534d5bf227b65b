// Trimming
// Decides which journal entries nobody needs any more.
//
//   Owns:          marks (position and time of the journal at each sweep), the last entry that may be dropped.
//   Does not own:  dropping entries (maintenance, pressure, journal), rows of the store (sweep), a journal's size (journal-room).
//
// TRIMMING-1. An applied entry is dropped when it is older than 7 days, or when 1 GiB of entries came after it. No open
//     session keeps it, because a session's state is in its rows, which are durable before its entries count as applied.
//     Nothing is rebuilt from entries. Readers of the past (history, one entry) find an entry as long as changes are kept.
// TRIMMING-2. The entry at the cursor is kept, because a reader recognises its journal by it. Entries that are not yet
//     applied are kept, too.
// TRIMMING-3. What may be dropped follows from durable rows. Dropping needs no entry of its own and changes nothing else,
//     so a crash before or after it leaves a journal that fits the store.
// TRIMMING-4. Above high water (3/4 of the journal's limit) applied entries are dropped down to half of the limit, oldest
//     first, however young they are and whichever sessions are open.
// TRIMMING-5. An entry counts with the space it takes in the journal, readable or not.
// TRIMMING-6. If the journal refuses one of the engine's own messages, all applied entries are dropped, and the engine
//     tries again.

import { believedOf } from "../journal/journal-time.ts";
import { after, keys } from "../rows/keys.ts";
import type { Meta } from "../rows/meta.ts";
import type { Layer } from "../rows/overlay.ts";
import type { JournalEntry, Store } from "../ports.ts";

/** All entries up to `position` have a stamp of at most `at`, and are together `bytes` large. */
export interface Mark {
  readonly position: number;
  readonly at: number;
  readonly bytes: number;
}

/** The applied entries to keep: the last `ms`, or the last `bytes` if that is less. */
export interface JournalKept {
  readonly ms: number;
  readonly bytes: number;
}

export const JOURNAL_KEPT: JournalKept = { ms: 7 * 24 * 60 * 60 * 1000, bytes: 1024 ** 3 };

/** Notes the journal's position; removes marks of entries that were dropped. */
export function mark(layer: Layer, { position, at }: JournalEntry, bytes: number, trimmed: number): void {
  for (const key of [...layer.keys(keys.marks)]) if (key < keys.mark(trimmed)) layer.delete(key);
  layer.set(keys.mark(position), { position, at, bytes } satisfies Mark);
}

/** @returns the position up to which entries can be dropped; 0 if none can. */
export function trimmable(store: Store, meta: Meta, kept = JOURNAL_KEPT): number {
  const { position, bytes } = meta;
  const until = believedOf(meta) - kept.ms;
  let upTo = 0;
  for (const [, text] of store.range({ gte: keys.marks, lt: after(keys.marks) })) {
    // Only `mark` writes these rows.
    const found = JSON.parse(text) as Mark;
    const isOld = found.at <= until || bytes - found.bytes >= kept.bytes;
    if (!isOld) break;
    upTo = found.position;
  }
  return Math.max(0, Math.min(upTo, position - 1));
}

/** For a journal that is too full: the position up to which entries must be dropped to keep at most `bytes` of applied ones. */
export function pressed(store: Store, meta: Meta, bytes: number): number {
  for (const [, text] of store.range({ gte: keys.marks, lt: after(keys.marks) })) {
    // Only `mark` writes these rows.
    const found = JSON.parse(text) as Mark;
    if (meta.bytes - found.bytes <= bytes) return Math.min(found.position, meta.position - 1);
  }
  return meta.position - 1;
}
