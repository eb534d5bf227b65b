// Missing text
// Says in words which entries of a journal are missing.
//
//   Owns:          the text that describes missing entries.
//   Does not own:  finding the missing entries (cursor).

import type { Missing } from "../ports.ts";

const NAMED_MAX = 10;

export const countOf = (missing: readonly Missing[]): number =>
  missing.reduce((sum, { first, last }) => sum + last - first + 1, 0);

/**
 * Lists missing positions.
 * @returns a text such as `21–24, 30 (5 in all)`; if there are more than ten ranges, only the first ten.
 */
export function missingText(missing: readonly Missing[]): string {
  const named = missing
    .slice(0, NAMED_MAX)
    .map(({ first, last }) => (first === last ? String(first) : `${first}–${last}`));
  const more = missing.length - named.length;
  const rest = more > 0 ? ` and ${more} more ranges` : "";
  return `${named.join(", ")}${rest} (${countOf(missing)} in all)`;
}
