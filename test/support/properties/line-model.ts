// Line model
// What numbered messages of one session should lead to, in the simplest form: one list of all that waits.
//
//   Owns:          what is applied when, what waits, which numbers were given up on.
//   Does not own:  how the engine keeps it (runtime/turn/holdback), what a message says.

const HELD_MS = 30_000;
const COUNT_MAX = 1_024;
const BYTES_MAX = 1024 ** 2;

export interface Numbered {
  readonly id: string;
  readonly source: string;
  readonly sequence: number;
  readonly bytes: number;
}

interface Waits extends Numbered {
  readonly at: number;
}

export type Fate =
  { readonly outcome: "applied" | "duplicate" } | { readonly outcome: "held"; waitsFor: number };

export class LineModel {
  /** Ids, in the order they are applied. */
  readonly applied: string[] = [];
  /** Numbers given up on: source, first, last. */
  readonly gaps: (readonly [source: string, first: number, last: number])[] = [];
  readonly #next = new Map<string, number>();
  readonly #known = new Set<string>();
  /** In the order they came. */
  #waiting: readonly Waits[] = [];

  hear(message: Numbered, at: number): Fate {
    const { id, source, sequence } = message;
    if (this.#known.has(id)) return { outcome: "duplicate" };
    this.#known.add(id);
    const next = this.#next.get(source) ?? Math.min(sequence, 1);
    if (sequence < next) {
      this.applied.push(id);
      return { outcome: "applied" };
    }
    this.#next.set(source, next);
    this.#waiting = [...this.#waiting, { ...message, at }];
    this.#drain(source);
    while (this.#waiting.length > COUNT_MAX || sum(this.#waiting) > BYTES_MAX) this.#giveUp(this.#heaviest());
    const waitsFor = this.#next.get(source) ?? 0;
    return sequence < waitsFor ? { outcome: "applied" } : { outcome: "held", waitsFor };
  }

  /** Advances the time to `at`. */
  pass(at: number): void {
    for (;;) {
      const oldest = [...this.#waiting].sort((a, b) => a.at - b.at)[0];
      if (!oldest || oldest.at + HELD_MS > at) return;
      this.#giveUp(oldest.source);
    }
  }

  /** Ids of waiting messages. */
  get waiting(): readonly string[] {
    return this.#waiting.map(({ id }) => id);
  }

  #giveUp(source: string): void {
    const lowest = Math.min(...this.#of(source).map(({ sequence }) => sequence));
    this.gaps.push([source, this.#next.get(source) ?? 0, lowest - 1]);
    this.#next.set(source, lowest);
    this.#drain(source);
  }

  /** Applies a source's next number, then the next, as long as they are there. */
  #drain(source: string): void {
    for (;;) {
      const next = this.#next.get(source) ?? 0;
      const now = this.#of(source).filter(({ sequence }) => sequence === next);
      if (now.length === 0) return;
      this.applied.push(...now.map(({ id }) => id));
      this.#waiting = this.#waiting.filter((each) => !now.includes(each));
      this.#next.set(source, next + 1);
    }
  }

  #of(source: string): readonly Waits[] {
    return this.#waiting.filter((each) => each.source === source);
  }

  #heaviest(): string {
    const sources = [...new Set(this.#waiting.map(({ source }) => source))];
    const weight = (source: string): number => sum(this.#of(source));
    const [first = ""] = sources.sort((a, b) => weight(b) - weight(a));
    return first;
  }
}

const sum = (list: readonly Numbered[]): number => list.reduce((bytes, each) => bytes + each.bytes, 0);
