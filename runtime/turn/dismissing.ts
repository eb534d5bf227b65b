// Dismissing
// The turn that marks dead letters as dismissed, or takes such a mark back. A dismissed dead letter (here also: letter) needs
// nobody's attention any more.
//
//   Owns:          what a message changes that dismisses dead letters, or takes this back, and how its turn ends.
//   Does not own:  the rows of dead letters (rows/dead-letters), who may dismiss them (door/dismissal).
//
// DISMISSING-1. A dismissed letter stays stored, with the name of whoever dismissed it, and when. A dismissed letter can still be
//     retried.
// DISMISSING-2. Letters that no longer exist are skipped. If none of the named letters exists, the message is rejected.

import type { Dismissed } from "../message.ts";
import type { DeadLetter } from "../rows/dead-letters.ts";
import { keys } from "../rows/keys.ts";
import type { Played } from "./playing.ts";
import { APPLIED, rejected, type Verdict } from "./verdict.ts";

export function dismiss({ layer, entry: { at } }: Played, { letters, by, isBack }: Dismissed): Verdict {
  let found = 0;
  for (const n of new Set(letters)) {
    const letter = layer.get(keys.dead(n)) as DeadLetter | undefined;
    if (!letter) continue;
    found += 1;
    const { dismissed: _, ...open } = letter;
    layer.set(keys.dead(n), (isBack ? open : { ...open, dismissed: { by, at } }) satisfies DeadLetter);
  }
  return found > 0 ? APPLIED : rejected("UNKNOWN_LETTER", "none of them exists", "letters");
}
