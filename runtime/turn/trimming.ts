// Trimming
// Decides which entries of the journal are no longer needed.
//
//   Owns:          the marks (the journal's position and time at each sweep), the last entry that may be removed.
//   Does not own:  removing entries (maintenance, pressure, the journal), removing rows (sweep), the size of a journal
//                  (journal-room).
//
// TRIMMING-1. An applied entry is removed when it is older than 7 days, or when 1 GiB of entries came after it. Open sessions do
//     not need old entries, because their state is in rows, which are durable before an entry counts as applied, and the engine
//     rebuilds nothing from entries. For queries about the past (history, one entry), entries are kept as long as changes are.
// TRIMMING-2. The entry at the cursor is kept, because it identifies the journal. Entries that are not applied yet are kept, too.
// TRIMMING-3. Durable rows decide which entries may be removed. The removal writes no entry and changes nothing else. So if the
//     engine crashes before or after the removal, the journal still fits the store.
// TRIMMING-4. Above high water (3/4 of the journal's limit), applied entries are removed, oldest first, until the journal fills
//     half of the limit, however young the entries are and whichever sessions are open.
// TRIMMING-5. The size of an entry is the space that it takes in the journal, even if the engine cannot read the entry.
// TRIMMING-6. If the journal has no room for one of the engine's own messages, all applied entries are removed, and then the
//     message is tried again.

import { believedOf } from "../journal/journal-time.ts";
import { after, keys } from "../rows/keys.ts";
import type { Meta } from "../rows/meta.ts";
import type { Layer } from "../rows/overlay.ts";
import type { JournalEntry, Store } from "../ports.ts";

/**
 * What one sweep noted about the journal: all entries up to `position` have a stamp of at most `at`, and are `bytes` large in
 * all.
 */
export interface Mark {
  readonly position: number;
  readonly at: number;
  readonly bytes: number;
}

/** How many applied entries the journal keeps: those of the last `ms`, or the last `bytes` if these are fewer entries. */
export interface JournalKept {
  readonly ms: number;
  readonly bytes: number;
}

export const JOURNAL_KEPT: JournalKept = { ms: 7 * 24 * 60 * 60 * 1000, bytes: 1024 ** 3 };

export function mark(layer: Layer, { position, at }: JournalEntry, bytes: number, trimmed: number): void {
  for (const key of [...layer.keys(keys.marks)]) if (key < keys.mark(trimmed)) layer.delete(key);
  layer.set(keys.mark(position), { position, at, bytes } satisfies Mark);
}

/** @returns the position up to which entries may be removed; 0 if none may. */
export function trimmable(store: Store, meta: Meta, kept = JOURNAL_KEPT): number {
  const { position, bytes } = meta;
  const until = believedOf(meta) - kept.ms;
  let upTo = 0;
  for (const found of marksIn(store)) {
    const isOld = found.at <= until || bytes - found.bytes >= kept.bytes;
    if (!isOld) break;
    upTo = found.position;
  }
  return Math.max(0, Math.min(upTo, position - 1));
}

/**
 * For a journal that is too full: the position up to which entries must be removed, so that at most `bytes` of applied entries
 * remain.
 */
export function pressed(store: Store, meta: Meta, bytes: number): number {
  for (const found of marksIn(store))
    if (meta.bytes - found.bytes <= bytes) return Math.min(found.position, meta.position - 1);
  return meta.position - 1;
}

function* marksIn(store: Store): Generator<Mark> {
  // The cast is safe: only `mark` writes mark rows.
  for (const [, text] of store.range({ gte: keys.marks, lt: after(keys.marks) }))
    yield JSON.parse(text) as Mark;
}
