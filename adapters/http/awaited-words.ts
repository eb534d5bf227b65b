// Awaited words
// Calls that have ended and have no words of their own yet for why they were made: whether some come, and how late.
//
//   Owns:          how long words are waited for, and how many calls may wait.
//   Does not own:  finding words (machines/routing/words), the counters (tally.ts).
//
// AWAITED-WORDS-1. Each call is told once: found, with how long after its end; or that nobody wrote any. Its prompt is no
//     word of its own.
// AWAITED-WORDS-2. It is bounded: the oldest of too many is told as one without words.

import type { CallView } from "../../runtime/rows/views.ts";

/** What became of looking for a call's words. */
export type Looked = { readonly outcome: "found"; readonly lateMs: number } | { readonly outcome: "none" };

/** As long as the intent of a call is looked for (S2). */
const WAIT_MS = 60_000;
const CALLS_MAX = 4_096;

const hasWords = ({ intent }: Pick<CallView, "intent">): boolean =>
  intent !== undefined && intent.source !== "prompt";

export class AwaitedWords {
  /** When each had ended, the oldest first. */
  readonly #awaited = new Map<string, number>();

  get size(): number {
    return this.#awaited.size;
  }

  /** A call has ended, for the first time. */
  ended(key: string, view: Pick<CallView, "intent">, at: number): readonly Looked[] {
    if (hasWords(view)) return [{ outcome: "found", lateMs: 0 }, ...this.#passed(at)];
    this.#awaited.set(key, at);
    return this.#passed(at);
  }

  /** More is known of a call that has ended. */
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
