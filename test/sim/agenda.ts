// Agenda
// What is to happen, in the order of its time.
//
//   Owns:          the order; what is at the same time happens in the order in which it was entered.
//   Does not own:  what happens.

interface Entry {
  readonly at: number;
  readonly n: number;
  readonly happens: (at: number) => void;
}

export class Agenda {
  readonly #heap: Entry[] = [];
  #entered = 0;

  /** @param at ms since the beginning. */
  enter(at: number, happens: Entry["happens"]): void {
    const entry = { at, n: (this.#entered += 1), happens };
    let place = this.#heap.push(entry) - 1;
    for (let above = (place - 1) >> 1; place > 0 && this.#isBefore(entry, above); above = (place - 1) >> 1) {
      this.#put(place, above);
      place = above;
    }
    this.#heap[place] = entry;
  }

  /** Lets everything happen that is to happen before `end`. */
  run(end: number): void {
    for (let next = this.#heap[0]; next !== undefined && next.at < end; next = this.#heap[0]) {
      this.#take();
      next.happens(next.at);
    }
  }

  #take(): void {
    const last = this.#heap.pop();
    if (last === undefined || this.#heap.length === 0) return;
    let place = 0;
    for (;;) {
      const [left, right] = [2 * place + 1, 2 * place + 2];
      const first = this.#heap[right];
      const below = first !== undefined && this.#isBefore(first, left) ? right : left;
      if (below >= this.#heap.length || this.#isBefore(last, below)) break;
      this.#put(place, below);
      place = below;
    }
    this.#heap[place] = last;
  }

  #isBefore({ at, n }: Entry, place: number): boolean {
    const other = this.#heap[place];
    return other === undefined || at < other.at || (at === other.at && n < other.n);
  }

  #put(place: number, from: number): void {
    const entry = this.#heap[from];
    if (entry) this.#heap[place] = entry;
  }
}
