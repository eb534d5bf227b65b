// Trouble watch
// Checks for troubles, and reports when a trouble begins and when it is over.
//
//   Owns:          how often troubles are checked for, reporting the beginning and the end of each trouble once.
//   Does not own:  finding troubles (each part of the engine reports its own), showing troubles (adapters).
//
// TROUBLE-WATCH-1. Reports with the same code belong to one trouble, from the first report to the last, even if their text
//     changes.

import type { Clock } from "../ports.ts";
import type { Trouble } from "./trouble.ts";

const LOOK_MS = 1_000;

export interface TroubleNews {
  readonly began: (trouble: Trouble) => void;
  /** @param trouble the trouble, as it was at the last check. */
  readonly ended: (trouble: Trouble) => void;
}

/**
 * Reports when a trouble begins and ends.
 * @param troubles returns the present troubles; called once a second.
 * @returns a function that ends the checks, without calling `ended`.
 */
export function watchTroubles(
  clock: Clock,
  troubles: () => readonly Trouble[],
  news: TroubleNews,
): () => void {
  let known: ReadonlyMap<string, Trouble> = new Map();
  let cancel = (): void => undefined;
  const look = (): void => {
    // Troubles are listed by importance, so if several have the same code, the first of them is shown.
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
