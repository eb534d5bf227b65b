// Working set
// Keeps durable rows in memory, decoded, as many as are worth keeping.
//
//   Owns:          the cache of durable rows; dropping the rows of idle sessions (passivation).
//   Does not own:  changes that are not durable yet (overlay).
//
// WORKING-SET-1. Rows that turns read repeatedly stay in memory; index rows and the places of ids in long lines do not.
// G9.   Reading a row that cannot be decoded throws; reads of other rows go on.
// I-26. Passivation changes nothing but memory: an actor that is read back equals the actor that was dropped.

import { PLACES } from "../../machines/index.ts";
import { decode } from "./codec.ts";
import { after, keys } from "./keys.ts";
import type { Readable } from "./overlay.ts";
import type { Store } from "../ports.ts";

/** Half of the memory limit: the size of one generation of rows, by the length of their text. */
const GENERATION_BYTES = 32 * 1024 * 1024;
/** The approximate cost of a cached row beside its text: keys, map entries, object headers. */
const ROW_OVERHEAD_BYTES = 200;

/** The tables that turns read; logs and index rows are only listed. */
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
/** The places of ids in a long line: there are several per id, each read once, when the id leaves. */
const READ_ONCE = `/${PLACES}/`;

const isReadAgain = (key: string): boolean => {
  const slash = key.indexOf("/");
  return READ_AGAIN.has(slash < 0 ? key : key.slice(0, slash)) && !key.includes(READ_ONCE);
};

export class WorkingSet implements Readable {
  readonly #store: Store;
  readonly #generationBytes: number;
  // Two generations: a row that is read moves to the young one. When the young one is full, the old one is dropped.
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
    // The space is the first character allowed in a key, so no key lies between a key and the same key with a space.
    const gte = behind === "" ? prefix : `${behind} `;
    for (const [key] of this.#store.range({ gte, lt: after(prefix) })) yield key;
  }

  /** Keeps what a commit made durable, if a turn may read it again. */
  absorb(key: string, value: unknown, text: string): void {
    this.#old.delete(key);
    if (isReadAgain(key)) this.#keep(key, value, text.length);
    else this.#young.delete(key);
  }

  forget(key: string): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }

  /** Drops everything; the next reads come from the store. */
  passivate(): void {
    this.#young = new Map();
    this.#old = new Map();
    this.#youngBytes = 0;
  }
}
