// Trouble watch
// Checks for troubles, and reports when one begins and when it is over.
//
//   Owns:          how often it checks, reporting each once.
//   Does not own:  finding troubles (each part reports its own), showing them (adapters).
//
// TROUBLE-WATCH-1. Troubles with the same code are one trouble. This trouble begins with the first of them and ends with the
//     last, even if its text changes.

import type { Clock } from "../ports.ts";
import type { Trouble } from "./trouble.ts";

const LOOK_MS = 1_000;

export interface TroubleNews {
  readonly began: (trouble: Trouble) => void;
  /** @param trouble the trouble, as it was at the last check. */
  readonly ended: (trouble: Trouble) => void;
}

/** @param troubles called once a second. @returns a function that ends the checks, without calling `ended`. */
export function watchTroubles(
  clock: Clock,
  troubles: () => readonly Trouble[],
  news: TroubleNews,
): () => void {
  let known: ReadonlyMap<string, Trouble> = new Map();
  let cancel = (): void => undefined;
  const look = (): void => {
    // Troubles are listed by importance, so of several with one code the first is shown.
    const now = new Map(
      troubles()
        .map((trouble) => [trouble.code, trouble] as const)
        .toReversed(),
    );
    for (const trouble of now.values()) if (!known.has(trouble.code)) news.began(trouble);
    for (const trouble of known.values()) if (!now.has(trouble.code)) news.ended(trouble);
    known = now;
    cancel = clock.after(LOOK_MS, look);
  };
  look();
  return () => cancel();
}
