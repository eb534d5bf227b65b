// Overlay
// Writes not yet durable, in layers over what is.
//
//   Owns:          reading through the layers, dropping or merging the top one.
//   Does not own:  encoding (codec), commits.
//
// O1. A dropped layer leaves no trace; a merged one is the layer below, with its writes in their order.

/** Marks a key as taken away in a layer. */
const GONE = Symbol("gone");

/** Where a layer reads what it has not got itself. */
export interface Readable {
  get(key: string): unknown;
  /** Keys that begin with the prefix, in no order that matters. */
  keys(prefix: string): Iterable<string>;
}

export class Layer implements Readable {
  #below: Readable;
  readonly #own = new Map<string, unknown>();

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

  set(key: string, value: unknown): void {
    this.#own.set(key, value);
  }

  delete(key: string): void {
    this.#own.set(key, GONE);
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
