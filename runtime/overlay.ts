// Overlay
// Writes not yet durable, in layers over what is.
//
//   Owns:          reading through the layers; taking an attempt back.
//   Does not own:  encoding (codec), commits.
//
// O1. An attempt that throws leaves the layer as it was, whatever it wrote.
// O2. A key no store takes fails the turn that made it, not the commit of a group.

import { InvariantViolation } from "./errors.ts";
import { isKey } from "./writes.ts";

/** Marks a key as taken away in a layer. */
const GONE = Symbol("gone");

/** What a key held before an attempt wrote it; `undefined` where the layer did not have it. */
type Undo = readonly [key: string, before: unknown];

/** Where a layer reads what it has not got itself. */
export interface Readable {
  get(key: string): unknown;
  /** Keys that begin with the prefix, in no order that matters. */
  keys(prefix: string): Iterable<string>;
}

export class Layer implements Readable {
  #below: Readable;
  readonly #own = new Map<string, unknown>();
  readonly #undo: Undo[] = [];
  #attempts = 0;

  constructor(below: Readable) {
    this.#below = below;
  }

  /** Puts the layer on other ground: what was below it has become durable. */
  rebase(below: Readable): void {
    this.#below = below;
  }

  get(key: string): unknown {
    const own = this.#own.get(key);
    if (own === undefined) return this.#below.get(key);
    return own === GONE ? undefined : own;
  }

  *keys(prefix: string): Generator<string> {
    for (const [key, value] of this.#own) if (value !== GONE && key.startsWith(prefix)) yield key;
    for (const key of this.#below.keys(prefix)) if (!this.#own.has(key)) yield key;
  }

  /** @throws InvariantViolation for a key no store takes. */
  set(key: string, value: unknown): void {
    const before = this.#own.get(key);
    if (before === undefined && !isKey(key)) throw badKey(key);
    if (this.#attempts > 0) this.#undo.push([key, before]);
    this.#own.set(key, value);
  }

  delete(key: string): void {
    this.set(key, GONE);
  }

  /** Takes a step; if it throws, takes back all that it wrote, and throws on. Attempts may stand inside attempts. */
  attempt<T>(step: () => T): T {
    const from = this.#undo.length;
    this.#attempts += 1;
    try {
      return step();
    } catch (error) {
      this.#takeBack(from);
      throw error;
    } finally {
      this.#attempts -= 1;
      if (this.#attempts === 0) this.#undo.length = 0;
    }
  }

  #takeBack(from: number): void {
    for (const [key, before] of this.#undo.splice(from).reverse()) {
      if (before === undefined) this.#own.delete(key);
      else this.#own.set(key, before);
    }
  }

  /** Adds this layer's writes to another. */
  mergeInto(other: Layer): void {
    for (const [key, value] of this.#own) other.#own.set(key, value);
  }

  get size(): number {
    return this.#own.size;
  }

  /** The writes of this layer; `undefined` for a key that is gone. */
  *writes(): Generator<readonly [key: string, value: unknown]> {
    for (const [key, value] of this.#own) yield [key, value === GONE ? undefined : value];
  }
}

const badKey = (key: string): InvariantViolation =>
  new InvariantViolation(
    "BAD_KEY",
    `A turn made a key that no store takes: ${JSON.stringify(key.slice(0, 80))}.`,
    "An id came in unchecked: report this as a defect.",
  );
