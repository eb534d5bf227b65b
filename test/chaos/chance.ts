// Chance
// Random choices that a seed repeats.
//
//   Owns:          the generator (mulberry32), picking with it.
//   Does not own:  what is chosen.

export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** From 0 to below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number, both ends included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  /** True that often, of 1. */
  happens(share: number): boolean {
    return this.next() < share;
  }

  /** @throws RangeError for an empty list. */
  pick<T>(list: readonly T[]): T {
    const found = list[this.between(0, list.length - 1)];
    if (found === undefined) throw new RangeError("There is nothing to choose from.");
    return found;
  }
}
