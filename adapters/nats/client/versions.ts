// Versions
// The last version a subscriber has of each session: what is new, what it has seen, where something is missing.
//
//   Owns:          comparing versions; how many sessions are remembered.
//   Does not own:  where changes come from (feed).
//
// VERSIONS-1. A version that is not above the last one is a repeat and is dropped.
// VERSIONS-2. Of a session whose changes are all read, the versions are dense: a hole is told before what stands behind
//     it.

/** Of the sessions heard of last; one that is forgotten begins again without a claim. */
const SESSIONS_MAX = 100_000;

export class Versions {
  readonly #last: Map<string, number>;
  readonly #isDense: boolean;

  /**
   * @param known by `<workspace>/<session>`.
   * @param isDense false where only some of a session's changes are read.
   */
  constructor(known: Iterable<readonly [string, number]>, isDense: boolean) {
    this.#last = new Map(known);
    this.#isDense = isDense;
  }

  /** @returns `repeat`, `next`, or after which version changes are missing. */
  see(session: string, version: number): "repeat" | "next" | { readonly after: number } {
    const last = this.#last.get(session);
    if (last !== undefined && version <= last) return "repeat";
    // The one heard of last stands last.
    this.#last.delete(session);
    this.#last.set(session, version);
    if (this.#last.size > SESSIONS_MAX) this.#forgetOldest();
    return this.#isDense && last !== undefined && version > last + 1 ? { after: last } : "next";
  }

  /** For a stream that counts anew. */
  clear(): void {
    this.#last.clear();
  }

  #forgetOldest(): void {
    for (const session of this.#last.keys()) {
      this.#last.delete(session);
      return;
    }
  }
}
