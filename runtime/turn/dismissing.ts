// Dismissing
// The turn that marks dead letters as dismissed, or undoes that. A dismissed letter needs nobody's attention any more.
//
//   Owns:          the outcome of a message that dismisses.
//   Does not own:  the rows of dead letters (rows/dead-letters), who may dismiss them (door/dismissal).
//
// DISMISSING-1. A dismissed letter stays stored, with who dismissed it and when. It can still be retried.
// DISMISSING-2. Letters that no longer exist are skipped. If none of the named letters exists, the message is rejected.

import type { Dismissed } from "../message.ts";
import type { JournalEntry } from "../ports.ts";
import type { DeadLetter } from "../rows/dead-letters.ts";
import { keys } from "../rows/keys.ts";
import type { Layer } from "../rows/overlay.ts";

type Done =
  | { readonly outcome: "applied" }
  | { readonly outcome: "rejected"; readonly code: string; readonly reason: string; readonly path: string };

export function dismiss(layer: Layer, { at }: JournalEntry, { letters, by, isBack }: Dismissed): Done {
  let found = 0;
  for (const n of new Set(letters)) {
    const letter = layer.get(keys.dead(n)) as DeadLetter | undefined;
    if (!letter) continue;
    found += 1;
    const { dismissed: _, ...open } = letter;
    layer.set(keys.dead(n), (isBack ? open : { ...open, dismissed: { by, at } }) satisfies DeadLetter);
  }
  if (found > 0) return { outcome: "applied" };
  return { outcome: "rejected", code: "UNKNOWN_LETTER", reason: "none of them exists", path: "letters" };
}
