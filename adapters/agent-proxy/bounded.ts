// Bounded
// A map with a limited number of entries.
//
//   Owns:          which entry is dropped when there is no room: the one that was entered first.
//   Does not own:  what the entries are.

export class Bounded<K, V> extends Map<K, V> {
  readonly #max: number;

  constructor(max: number) {
    super();
    this.#max = max;
  }

  override set(key: K, value: V): this {
    super.set(key, value);
    for (const first of this.keys()) {
      if (this.size <= this.#max) break;
      this.delete(first);
    }
    return this;
  }
}
