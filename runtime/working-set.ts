// Working set
// Durable rows, decoded, as many as are worth keeping in memory.
//
//   Owns:          the cache of what is durable; letting idle sessions go (passivation).
//   Does not own:  what is not durable yet (overlay).
//
// G9.  A row that cannot be decoded throws for whoever reads it, and for nobody else.
// I-26. Passivation changes nothing but memory: what is read back is what was kept.

import { LRUCache } from "lru-cache";
import { decode } from "./codec.ts";
import { after, keys } from "./keys.ts";
import type { Readable } from "./overlay.ts";
import type { Store } from "./ports.ts";

interface Row {
  readonly value: unknown;
  readonly size: number;
}

const CACHED_MAX_BYTES = 64 * 1024 * 1024;
/** What a cached row costs beside its text, roughly: keys, map entries, object headers. */
const ROW_OVERHEAD_BYTES = 200;

/** Rows that turns read; logs and index rows are only ever listed. */
const READ_AGAIN = new Set(["actor", "book", "ledger", "alarm", "holdback", keys.meta]);

export class WorkingSet implements Readable {
  readonly #store: Store;
  readonly #rows: LRUCache<string, Row>;

  constructor(store: Store, maxBytes = CACHED_MAX_BYTES) {
    this.#store = store;
    this.#rows = new LRUCache({ maxSize: maxBytes, sizeCalculation: (row) => row.size });
  }

  get(key: string): unknown {
    const cached = this.#rows.get(key);
    if (cached) return cached.value;
    const text = this.#store.get(key);
    if (text === undefined) return undefined;
    const value = decode(key, text);
    this.#rows.set(key, { value, size: text.length + ROW_OVERHEAD_BYTES });
    return value;
  }

  *keys(prefix: string): Generator<string> {
    for (const [key] of this.#store.range({ gte: prefix, lt: after(prefix) })) yield key;
  }

  /** Takes in what a commit has made durable, where a turn may read it again. */
  absorb(key: string, value: unknown, text: string): void {
    if (READ_AGAIN.has(key.split("/", 1)[0] ?? ""))
      this.#rows.set(key, { value, size: text.length + ROW_OVERHEAD_BYTES });
  }

  forget(key: string): void {
    this.#rows.delete(key);
  }

  /** Lets everything go; the next reads come from the store. */
  passivate(): void {
    this.#rows.clear();
  }
}
