// Awaited words
// Measures how long after a call's end the words come that say why the call was made, if they were not there at its end.
//
//   Owns:          how long words are awaited, and how many calls may wait.
//   Does not own:  finding words (machines/routing/words), the counters (tally.ts).
//
// AWAITED-WORDS-1. Each call is reported once: as found, with the time from its end, or as without words. The prompt does not
//     count as the call's own words.
// AWAITED-WORDS-2. The number of waiting calls is bounded. If a call exceeds it, the oldest is reported as without words.

import type { CallView } from "../../runtime/rows/views.ts";

export type Looked = { readonly outcome: "found"; readonly lateMs: number } | { readonly outcome: "none" };

/** How long words are awaited, ms: as long as the engine looks for the intent of a call (S2). */
const WAIT_MS = 60_000;
const CALLS_MAX = 4_096;

const hasWords = ({ intent }: Pick<CallView, "intent">): boolean =>
  intent !== undefined && intent.source !== "prompt";

export class AwaitedWords {
  /** When each waiting call ended, the oldest first. */
  readonly #awaited = new Map<string, number>();

  get size(): number {
    return this.#awaited.size;
  }

  /** Notes that a call has just ended. @returns for each call that waits for words no longer, whether they were found. */
  ended(key: string, view: Pick<CallView, "intent">, at: number): readonly Looked[] {
    if (hasWords(view)) return [{ outcome: "found", lateMs: 0 }, ...this.#passed(at)];
    this.#awaited.set(key, at);
    return this.#passed(at);
  }

  /** Notes that the words of an ended call have changed. @returns what `ended` returns. */
  amended(key: string, view: Pick<CallView, "intent">, at: number): readonly Looked[] {
    const since = this.#awaited.get(key);
    if (since === undefined || !hasWords(view)) return this.#passed(at);
    this.#awaited.delete(key);
    return [{ outcome: "found", lateMs: at - since }, ...this.#passed(at)];
  }

  #passed(at: number): readonly Looked[] {
    const passed: Looked[] = [];
    for (const [key, since] of this.#awaited) {
      if (since > at - WAIT_MS && this.#awaited.size <= CALLS_MAX) break;
      this.#awaited.delete(key);
      passed.push({ outcome: "none" });
    }
    return passed;
  }
}
