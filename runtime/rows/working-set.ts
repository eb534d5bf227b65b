// Working set
// Holds durable rows in memory, decoded, up to a limit.
//
//   Owns:          the cache of durable rows; dropping all cached rows (passivation).
//   Does not own:  rows that are not durable yet (overlay).
//
// WORKING-SET-1. Rows that turns read again and again stay in memory. Index rows do not. Nor do the rows that store where in a
//     long deque an id is: each is read only once, when its id is removed.
// G9.   Reading a row that cannot be decoded throws. Reading other rows still works.
// I-26. Dropping an actor from memory changes no state: when the actor is read again, it equals the actor that was dropped.

import { PLACES } from "../../machines/index.ts";
import { decode } from "./codec.ts";
import { after, keys } from "./keys.ts";
import type { Readable } from "./overlay.ts";
import type { Store } from "../ports.ts";

/** How many bytes of text one generation of cached rows may have: half of the memory limit, because there are two generations. */
const GENERATION_BYTES = 32 * 1024 * 1024;
/** About how many bytes of memory a cached row takes besides its text: for its key, map entries and object headers. */
const ROW_OVERHEAD_BYTES = 200;

/** The kinds of rows that turns read, so that caching helps. Rows of logs and indexes are only listed. */
const READ_AGAIN = new Set([
  "actor",
  "book",
  "ledger",
  "alarm",
  "holdback",
  "quota",
  "rule",
  "proof",
  keys.meta,
]);
/**
 * Rows that store the places of ids in long deques have this in their key. Each is read only once, when its id is removed, so it
 * is not cached.
 */
const READ_ONCE = `/${PLACES}/`;

const isReadAgain = (key: string): boolean => {
  const slash = key.indexOf("/");
  return READ_AGAIN.has(slash < 0 ? key : key.slice(0, slash)) && !key.includes(READ_ONCE);
};

export class WorkingSet implements Readable {
  readonly #store: Store;
  readonly #generationBytes: number;
  // A row that is read moves to the young generation. When the young generation is full, it replaces the old one, whose rows
  // are dropped from memory: none of them was read lately.
  #young = new Map<string, unknown>();
  #old = new Map<string, unknown>();
  #youngBytes = 0;

  constructor(store: Store, generationBytes = GENERATION_BYTES) {
    this.#store = store;
    this.#generationBytes = generationBytes;
  }

  get(key: string): unknown {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) {
      this.#keep(key, old, 0);
      return old;
    }
    const text = this.#store.get(key);
    if (text === undefined) return undefined;
    const value = decode(key, text);
    if (isReadAgain(key)) this.#keep(key, value, text.length);
    return value;
  }

  #keep(key: string, value: unknown, length: number): void {
    this.#young.set(key, value);
    this.#youngBytes += length + ROW_OVERHEAD_BYTES;
    if (this.#youngBytes < this.#generationBytes) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#youngBytes = 0;
  }

  *keys(prefix: string, behind = ""): Generator<string> {
    // Reading goes on after `behind`. With a space at its end, `behind` sorts before every later key, because a space sorts
    // before any other character of a key.
    const gte = behind === "" ? prefix : `${behind} `;
    for (const [key] of this.#store.range({ gte, lt: after(prefix) })) yield key;
  }

  /** Caches what a commit made durable, if a turn may read it again. */
  absorb(key: string, value: unknown, text: string): void {
    this.#old.delete(key);
    if (isReadAgain(key)) this.#keep(key, value, text.length);
    else this.#young.delete(key);
  }

  forget(key: string): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }

  passivate(): void {
    this.#young = new Map();
    this.#old = new Map();
    this.#youngBytes = 0;
  }
}
