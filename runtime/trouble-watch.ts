// Trouble watch
// Looks at what does not work just now, and tells when a trouble begins and when it is over.
//
//   Owns:          how often it looks, telling each once.
//   Does not own:  the troubles (whoever meets them), how they are told (adapters).
//
// TROUBLE-WATCH-1. Troubles of one code are one: it begins with the first and is over with the last, however their
//     words change.

import type { Clock } from "./ports.ts";
import type { Trouble } from "./trouble.ts";

const LOOK_MS = 1_000;

export interface TroubleNews {
  readonly began: (trouble: Trouble) => void;
  /** @param trouble as it was last seen. */
  readonly ended: (trouble: Trouble) => void;
}

/** @param troubles asked once a second. @returns a function that ends it; a trouble that lasts then is not over. */
export function watchTroubles(
  clock: Clock,
  troubles: () => readonly Trouble[],
  news: TroubleNews,
): () => void {
  let known: ReadonlyMap<string, Trouble> = new Map();
  let cancel = (): void => undefined;
  const look = (): void => {
    // Of several the first counts: they are in the order in which they matter.
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
