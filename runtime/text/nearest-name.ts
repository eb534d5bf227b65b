// Nearest name
// Finds the known name that is most like an unknown name, because somebody may have mistyped it.
//
//   Owns:          how similar two names must be.
//   Does not own:  the list of names, the error about an unknown name.

/** Two names that differ in more letters than this are not similar. */
const DIFFERENCE_MAX = 2;

/**
 * The known name that begins with the given name, or else the one that differs least from it; undefined if no name is similar.
 */
export function nearestName(given: string, known: readonly string[]): string | undefined {
  const plain = given.toLowerCase();
  const longer = known.find((name) => plain !== "" && name.toLowerCase().startsWith(plain));
  if (longer !== undefined) return longer;
  const ranked = known.map((name) => ({ name, off: difference(plain, name.toLowerCase()) }));
  const [best] = ranked.toSorted((one, other) => one.off - other.off);
  return best && best.off <= DIFFERENCE_MAX ? best.name : undefined;
}

/** How many letters must be added, removed or changed to make one text the other (Levenshtein). */
function difference(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [n, letter] of Array.from(one).entries()) {
    const next = [n + 1];
    for (let at = 1; at <= other.length; at += 1) {
      const changed = (row[at - 1] ?? 0) + (other[at - 1] === letter ? 0 : 1);
      next.push(Math.min(changed, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
