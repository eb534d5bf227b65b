// Near hashes
// Texts that are almost a given hash: whoever compares less than the whole of two takes one of them for it.
//
//   Owns:          in which ways a text may be almost a hash.
//   Does not own:  hashes (runtime/canonical), who compares them.

import { expect } from "vitest";

/** @returns the same hash but for one sign, at each place; in other letters, cut, longer, with a space, and empty. */
export function nearHashes(hash: string): readonly string[] {
  const other = (n: number): string =>
    `${hash.slice(0, n)}${hash[n] === "0" ? "1" : "0"}${hash.slice(n + 1)}`;
  const near = [
    ...Array.from(hash, (_, n) => other(n)),
    hash.toUpperCase(),
    hash.slice(0, 12),
    hash.slice(0, -1),
    hash.slice(1),
    `${hash}0`,
    ` ${hash}`,
    "",
  ];
  // A hash of digits alone has no other letters.
  expect(near).not.toContain(hash);
  return near;
}
