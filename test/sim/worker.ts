// Worker
// A main thread: it does one thing after the other, in the order in which they come, and nothing while it is away.
//
//   Owns:          when each piece of work is done, how long it was busy.
//   Does not own:  what the work is, who is away when (load).

/** From, until; ms. */
export type Gap = readonly [number, number];

export class Worker {
  /** How long it has worked, ms. */
  busy = 0;
  /** When it has done all that it was given, ms. */
  free = 0;
  readonly #gaps: Gap[];

  /** @param gaps when it is away, in order; they do not overlap. */
  constructor(gaps: readonly Gap[] = []) {
    this.#gaps = [...gaps];
  }

  /**
   * Gives it work. Call this in the order of `at`. Work that a gap interrupts begins anew behind the gap.
   * @returns when it is done, ms.
   */
  give(at: number, ms: number): number {
    let from = Math.max(at, this.free);
    for (let [gap] = this.#gaps; gap !== undefined && gap[0] < from + ms; [gap] = this.#gaps) {
      from = Math.max(from, gap[1]);
      this.#gaps.shift();
    }
    this.busy += ms;
    return (this.free = from + ms);
  }
}
