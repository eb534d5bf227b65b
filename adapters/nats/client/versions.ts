// Versions
// Keeps the last version that a subscriber has of each session, and so recognises new changes, repeats and gaps.
//
//   Owns:          comparing versions; how many sessions are remembered.
//   Does not own:  where changes come from (feed).
//
// VERSIONS-1. A version that is not above the last one is a repeat, and is dropped.
// VERSIONS-2. If a feed reads all changes of a session, versions have no holes: a hole is reported before the change after it.

/** How many sessions are remembered, the latest first; a forgotten session never has a hole. */
const SESSIONS_MAX = 100_000;

export class Versions {
  readonly #last: Map<string, number>;
  readonly #isDense: boolean;

  /** @param known by `<workspace>/<session>`. @param isDense false if the feed reads only some of a session's changes. */
  constructor(known: Iterable<readonly [string, number]>, isDense: boolean) {
    this.#last = new Map(known);
    this.#isDense = isDense;
  }

  /** @returns `repeat`, `next`, or the version after which changes are missing. */
  see(session: string, version: number): "repeat" | "next" | { readonly after: number } {
    const last = this.#last.get(session);
    if (last !== undefined && version <= last) return "repeat";
    // A Map keeps the order of insertion: deleting and setting moves this session to the end.
    this.#last.delete(session);
    this.#last.set(session, version);
    if (this.#last.size > SESSIONS_MAX) this.#forgetOldest();
    return this.#isDense && last !== undefined && version > last + 1 ? { after: last } : "next";
  }

  /** Forgets all versions, for a log that starts again. */
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
