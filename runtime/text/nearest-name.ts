// Nearest name
// Which known name somebody may have meant by another one.
//
//   Owns:          how near two names are.
//   Does not own:  the names, what is said about them.

/** Beyond so many letters of difference two names are strangers. */
const DIFFERENCE_MAX = 2;

/** @returns the known name that begins as the given one does, or else differs least; undefined if none is near. */
export function nearestName(given: string, known: readonly string[]): string | undefined {
  const plain = given.toLowerCase();
  const longer = known.find((name) => plain !== "" && name.toLowerCase().startsWith(plain));
  if (longer !== undefined) return longer;
  const ranked = known.map((name) => ({ name, off: difference(plain, name.toLowerCase()) }));
  const [best] = ranked.toSorted((one, other) => one.off - other.off);
  return best && best.off <= DIFFERENCE_MAX ? best.name : undefined;
}

/** Letters to add, remove or change (Levenshtein). */
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
