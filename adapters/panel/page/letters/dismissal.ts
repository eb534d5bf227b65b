// Dismissal
// Dismisses dead letters, and takes that back.
//
//   Owns:          asking the engine for it, and reading the letters anew.
//   Does not own:  what a dismissal does (the engine), the buttons (letters.tsx).

import type { DeadLetter } from "../../../../runtime/rows/dead-letters.ts";
import { refusalOf, send } from "../engine/api.ts";
import { loadLetters } from "./model.ts";

/**
 * Dismisses letters.
 * @param back undoes the dismissal instead.
 * @returns why the engine refused; undefined if it accepted.
 */
export async function dismiss(some: readonly DeadLetter[], back = false): Promise<string | undefined> {
  if (some.length === 0) return undefined;
  const body = { letters: some.map(({ n }) => n), ...(back && { back }) };
  const refused = await refusalOf(send("/v1/dead-letters/dismissal", body));
  if (!refused) await loadLetters();
  return refused?.words;
}
