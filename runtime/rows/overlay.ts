// Overlay
// Holds written rows that are not durable yet, in layers over the durable rows.
//
//   Owns:          reading through the layers; undoing the writes of an attempt.
//   Does not own:  encoding rows (codec), commits (commit).
//   Decided in:    docs/decisions/0003-attempts-are-undo-lists.md.
//
// OVERLAY-1. If an attempt to apply an input throws, the layer is afterwards as it was before the attempt, whatever the attempt
//     wrote.
// OVERLAY-2. If a turn writes a key that no store accepts, the turn fails when it writes the key. So the commit of the whole
//     group does not fail later.
// OVERLAY-3. Keys are listed in order, whichever layer contains them. So a turn that reads only the first few keys reads the same
//     keys in every replay. The time to find the keys of a session depends on how much this session wrote, not on the size of the
//     whole layer.

import { InvariantViolation } from "../errors/errors.ts";
import { isKey } from "../writes.ts";

const GONE = Symbol("gone");

/** The value of a key before an attempt wrote the key; `undefined` if the layer had no value for it. */
type Undo = readonly [key: string, before: unknown];

/** Rows that can be read. A layer reads a key for which it has no value from the rows below it. */
export interface Readable {
  get(key: string): unknown;
  /** The keys that begin with the prefix, in order; if `behind` is given, only the keys after `behind`. */
  keys(prefix: string, behind?: string): Iterable<string>;
}

export function firstKeys(rows: Readable, prefix: string, count: number): readonly string[] {
  const found: string[] = [];
  if (count > 0) for (const key of rows.keys(prefix)) if (found.push(key) >= count) break;
  return found;
}

/** The first three parts of a key, such as `actor/<workspace>/<session>`: the scope of one session's rows (OVERLAY-3). */
function scopeOf(text: string): string | undefined {
  let end = -1;
  for (let part = 0; part < 3; part += 1) {
    end = text.indexOf("/", end + 1);
    if (end < 0) return undefined;
  }
  return text.slice(0, end);
}

export class Layer implements Readable {
  #below: Readable;
  readonly #own = new Map<string, unknown>();
  /** All keys that this layer wrote, in order of writing. The first `#sorted` keys are already in `#scopes`. */
  readonly #written: string[] = [];
  readonly #scopes = new Map<string, Set<string>>();
  #sorted = 0;
  readonly #undo: Undo[] = [];
  #attempts = 0;

  constructor(below: Readable) {
    this.#below = below;
  }

  rebase(below: Readable): void {
    this.#below = below;
  }

  get(key: string): unknown {
    const own = this.#own.get(key);
    if (own === undefined) return this.#below.get(key);
    return own === GONE ? undefined : own;
  }

  *keys(prefix: string, behind = ""): Generator<string> {
    const own = this.#ownKeys(prefix, behind);
    let next = 0;
    const upTo = function* (this: Layer, limit: string | undefined): Generator<string> {
      for (let key = own[next]; key !== undefined && (limit === undefined || key <= limit); key = own[++next])
        if (this.#own.get(key) !== GONE) yield key;
    }.bind(this);
    for (const key of this.#below.keys(prefix, behind)) {
      yield* upTo(key);
      if (!this.#own.has(key)) yield key;
    }
    yield* upTo(undefined);
  }

  #ownKeys(prefix: string, behind: string): readonly string[] {
    const scope = scopeOf(prefix);
    const among = scope === undefined ? this.#own.keys() : this.#inScope(scope);
    return [...among].filter((key) => key.startsWith(prefix) && key > behind && this.#own.has(key)).sort();
  }

  #inScope(scope: string): Iterable<string> {
    for (; this.#sorted < this.#written.length; this.#sorted += 1) {
      const key = this.#written[this.#sorted] ?? "";
      const its = scopeOf(key);
      if (its === undefined) continue;
      const known = this.#scopes.get(its);
      if (known) known.add(key);
      else this.#scopes.set(its, new Set([key]));
    }
    return this.#scopes.get(scope) ?? [];
  }

  /** @throws InvariantViolation for a key that no store accepts. */
  set(key: string, value: unknown): void {
    const before = this.#own.get(key);
    if (before === undefined) {
      if (!isKey(key)) throw badKey(key);
      this.#written.push(key);
    }
    if (this.#attempts > 0) this.#undo.push([key, before]);
    this.#own.set(key, value);
  }

  delete(key: string): void {
    this.set(key, GONE);
  }

  /** Runs a step. If the step throws, undoes all its writes and rethrows. Attempts may be nested. */
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

  get size(): number {
    return this.#own.size;
  }

  /** The rows that this layer wrote. The value is `undefined` for a deleted row. */
  *writes(): Generator<readonly [key: string, value: unknown]> {
    for (const [key, value] of this.#own) yield [key, value === GONE ? undefined : value];
  }
}

const badKey = (key: string): InvariantViolation =>
  new InvariantViolation(
    "BAD_KEY",
    `A turn made a key that no store accepts: ${JSON.stringify(key.slice(0, 80))}.`,
    "An id was accepted without a check: report this as a defect.",
  );
