// Draws
// Random test values that are drawn from a seed: the same seed draws the same values.
//
//   Owns:          drawing numbers, choices, lists, and texts that are hard to store.
//   Does not own:  what a case does with the drawn values.

/** A linear congruential generator with the factors of Numerical Recipes; its high bits are good enough to vary tests. */
const FACTOR = 1_664_525;
const STEP = 1_013_904_223;
const RANGE = 2 ** 32;

const CHARACTERS = ["a", " ", "\0", "\n", '"', "\\", "é", "e\u0301", "日", "👩‍💻", "\u{10ffff}"] as const;

export class Draws {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  below(end: number): number {
    this.#state = (Math.imul(this.#state, FACTOR) + STEP) >>> 0;
    return Math.floor((this.#state / RANGE) * end);
  }

  /**
   * One of the values, at random. @param first the first value; it is a separate parameter, so that a caller must give at least
   * one value.
   */
  oneOf<T>(first: T, ...others: readonly T[]): T {
    const at = this.below(others.length + 1);
    return others[at - 1] ?? first;
  }

  list<T>(min: number, max: number, draw: () => T): readonly T[] {
    return Array.from({ length: min + this.below(max - min + 1) }, draw);
  }

  /** A random text of up to ten characters, each from CHARACTERS, which are hard to store, or any that UTF-8 can encode. */
  text(): string {
    return this.list(0, 10, () =>
      this.below(2) === 0 ? this.oneOf(...CHARACTERS) : String.fromCodePoint(this.#scalar()),
    ).join("");
  }

  #scalar(): number {
    const drawn = this.below(0x11_0000 - 0x800);
    return drawn < 0xd800 ? drawn : drawn + 0x800;
  }
}
