// Trimming
// How much of the journal nobody needs any more.
//
//   Owns:          marks (where the journal stood, and when, at each sweep), the last entry that may go.
//   Does not own:  letting it go (chores, journal), rows of the store (sweep).
//
// Q1. An entry goes only when it is older than every session that has not ended, so that such a session can be built
//     again from its first entry; and when it is older than 7 days, or 1 GiB of entries came after it.
// Q2. The entry at the cursor stays: by it a reader tells its journal from another.

import { after, keys } from "./keys.ts";
import type { Meta } from "./meta.ts";
import type { Layer } from "./overlay.ts";
import type { JournalEntry, Store } from "./ports.ts";

/** All entries up to `position` have a stamp of at most `at`, and `bytes` in all. */
export interface Mark {
  readonly position: number;
  readonly at: number;
  readonly bytes: number;
}

/** How much is kept beyond what open sessions need: the last `ms`, or the last `bytes` where that is less. */
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
export function trimmable(store: Store, { position, at, bytes }: Meta, kept = JOURNAL_KEPT): number {
  const since = oldestOpen(store);
  let upTo = 0;
  for (const [, text] of store.range({ gte: keys.marks, lt: after(keys.marks) })) {
    // Mark rows are written by `mark` only.
    const found = JSON.parse(text) as Mark;
    const isOld = found.at <= at - kept.ms || bytes - found.bytes >= kept.bytes;
    if (!isOld || found.at >= since) break;
    upTo = found.position;
  }
  return Math.max(0, Math.min(upTo, position - 1));
}

const OPEN = ["idle", "running", "waiting_input"];

/** When the first entry of the oldest session that has not ended came, ms. */
function oldestOpen(store: Store): number {
  let since = Infinity;
  for (const state of OPEN) {
    const prefix = keys.list(["session", "state", state]);
    for (const [key] of store.range({ gte: prefix, lt: after(prefix), limit: 1 })) {
      since = Math.min(since, parseInt(key.slice(prefix.length), 10));
    }
  }
  return since;
}
