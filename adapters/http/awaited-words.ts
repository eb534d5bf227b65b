// Awaited words
// Measures how long after the end of a call the agent writes why it made the call (the intent of the call).
//
//   Owns:          how long the engine waits for words, and for how many calls at a time.
//   Does not own:  finding words (machines/routing/words), the counters (tally.ts).
//
// AWAITED-WORDS-1. Each ended call is reported once: with the time from its end until its words arrived (0 if they came before
//     the end), or, after a minute, as a call without words. A call of which only the user's prompt is known counts as one
//     without words.
// AWAITED-WORDS-2. The number of calls that wait for words is limited. Above the limit, the oldest is reported as without words.

import type { CallView } from "../../runtime/rows/views.ts";

export type Looked = { readonly outcome: "found"; readonly lateMs: number } | { readonly outcome: "none" };

/** How long an ended call waits for its intent, ms; after that, the call is reported as one without words. */
const WAIT_MS = 60_000;
const CALLS_MAX = 4_096;

const hasWords = ({ intent }: Pick<CallView, "intent">): boolean =>
  intent !== undefined && intent.source !== "prompt";

export class AwaitedWords {
  /** For each ended call that still waits for its intent, when the call ended, ms; the oldest first. */
  readonly #awaited = new Map<string, number>();

  get size(): number {
    return this.#awaited.size;
  }

  /** Notes that a call has ended. @returns the outcome for each call that no longer waits for its intent. */
  ended(key: string, view: Pick<CallView, "intent">, at: number): readonly Looked[] {
    if (hasWords(view)) return [{ outcome: "found", lateMs: 0 }, ...this.#passed(at)];
    this.#awaited.set(key, at);
    return this.#passed(at);
  }

  /** Notes that the intent of an ended call has changed. @returns the outcomes, as `ended` does. */
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
