// Blob sweep
// Removes blobs to which no row and no journal entry refers any more.
//
//   Owns:          when blobs are checked, and which blobs may be removed.
//   Does not own:  storing blobs (ports: Blobs), removing rows of the store (sweep).
//
// BLOB-SWEEP-1. A blob is removed if it was last written longer ago than rows and journal entries are kept, and if no row that
//     is kept for another reason (open work, an audit row written long after the blob, an entry that can be retried) refers to
//     the blob. A further message with the same input writes the blob again, so the blob's age begins anew.
// BLOB-SWEEP-2. The age of a blob is computed with the machine's clock or the journal time, whichever is earlier, so that a
//     clock that is ahead removes no blob too early. While the engine waits after a jump of the clock (clock-watch), no blob is
//     removed.
// BLOB-SWEEP-3. Rows are read a page at a time, and only if some blob is old enough to be removed.
// BLOB-SWEEP-4. When a session is forgotten, its blobs are removed even if they are young. A blob that was written in the last
//     ten seconds stays: the row of the message that refers to it may not be written yet.

import type { Engine } from "../engine/engine.ts";
import { believedOf } from "../journal/journal-time.ts";
import { after, keys } from "../rows/keys.ts";
import type { Blobs, Clock } from "../ports.ts";
import { pagesAside } from "../rows/row-pages.ts";
import { JOURNAL_KEPT } from "../turn/trimming.ts";
import { pause } from "../wait-for.ts";

/** A blob that was written less than this long ago, ms, is not removed: the row that refers to it may not be written yet. */
const UNDER_WAY_MS = 10_000;
const SWEEP_MS = 24 * 60 * 60 * 1000;
const ROWS_MAX = 500;

/**
 * Prefixes of the rows that may name a blob. The books contain, among others, the results that wait for their calls (orphans).
 */
const NAMING = [keys.actors, keys.allBooks, keys.allHeld, keys.audits, keys.deads, keys.setAside];
const NAMES = /[0-9a-f]{64}/g;

export interface BlobSweepOptions {
  readonly blobs: Blobs;
  readonly engine: Pick<Engine, "store" | "meta" | "watch">;
  readonly clock: Clock;
  /** Called if a sweep fails. The next sweep tries again. */
  readonly onError: (error: unknown) => void;
}

export class BlobSweep {
  readonly #options: BlobSweepOptions;
  readonly #over = new AbortController();
  #sweeping: Promise<void> = Promise.resolve();

  constructor(options: BlobSweepOptions) {
    this.#options = options;
  }

  /** Sweeps immediately, and then once a day. */
  start(): void {
    this.#sweeping = this.#run();
  }

  /** Resolves when a running sweep has ended. */
  async stop(): Promise<void> {
    this.#over.abort();
    await this.#sweeping;
  }

  /** Removes those of the given blobs that no row names (BLOB-SWEEP-4). @returns how many it removed. */
  async dropUnnamed(hashes: ReadonlySet<string>): Promise<number> {
    const { blobs, clock } = this.#options;
    if (hashes.size === 0) return 0;
    const before = clock.now() - UNDER_WAY_MS;
    const unnamed = new Set((await blobs.old(before)).filter((hash) => hashes.has(hash)));
    await this.#spare(unnamed);
    // If the engine is stopping, `#spare` did not read all rows, so a row may still name one of the blobs. The daily sweep
    // removes them.
    if (this.#over.signal.aborted) return 0;
    for (const hash of unnamed) await blobs.drop(hash, before);
    return unnamed.size;
  }

  async #run(): Promise<void> {
    const { clock, engine, onError } = this.#options;
    for (let ms = 0; (await pause({ clock, ms }, this.#over.signal)) === "late";) {
      const heldMs = engine.watch.heldMs();
      if (heldMs <= 0) await this.#sweep().catch(onError);
      ms = heldMs > 0 ? heldMs : SWEEP_MS;
    }
  }

  async #sweep(): Promise<void> {
    const { blobs, engine, clock } = this.#options;
    const { auditKeptMs, changesKeptMs, deadsKeptMs } = engine.meta().configuration;
    const now = Math.min(clock.now(), believedOf(engine.watch.time()));
    const before = now - Math.max(auditKeptMs, changesKeptMs, deadsKeptMs, JOURNAL_KEPT.ms);
    const unnamed = new Set(await blobs.old(before));
    await this.#spare(unnamed);
    for (const hash of unnamed) if (!this.#over.signal.aborted) await blobs.drop(hash, before);
  }

  /** Removes from `unnamed` the hashes of all blobs that a row names. */
  async #spare(unnamed: Set<string>): Promise<void> {
    const { store } = this.#options.engine;
    const isOver = (): boolean => unnamed.size === 0 || this.#over.signal.aborted;
    for (const prefix of NAMING)
      for await (const rows of pagesAside(store, pagesUnder(prefix), isOver))
        for (const [, text] of rows) for (const [hash] of text.matchAll(NAMES)) unnamed.delete(hash);
  }
}

const pagesUnder = (prefix: string) => ({ gte: prefix, lt: after(prefix), limit: ROWS_MAX });
