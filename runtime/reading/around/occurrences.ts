// Occurrences
// Finds the places of one text in another.
//
//   Owns:          the search.
//   Does not own:  what is searched, and why (around).
//
// OCCURRENCES-1. The time grows with the lengths of the two texts and never with their product, whatever they contain.
//
// The built-in search can need 10 s for 1 MiB of equal letters, and the engine does nothing else meanwhile.

export interface Occurrences {
  /** Where the first one begins. */
  readonly first: number;
  /** How many there are, none overlapping another. */
  readonly count: number;
}

/** @param sought not empty. @returns undefined if it is nowhere. */
export function occurrencesOf(sought: string, text: string): Occurrences | undefined {
  const back = fallbacksOf(sought);
  let [first, count, matched] = [0, 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    matched = grown(sought, back, matched, text.charCodeAt(at));
    if (matched < sought.length) continue;
    if (count === 0) first = at + 1 - sought.length;
    count += 1;
    matched = 0;
  }
  return count === 0 ? undefined : { first, count };
}

/** For each length, the longest shorter beginning that also ends there (Knuth, Morris and Pratt). */
function fallbacksOf(sought: string): Uint32Array {
  const back = new Uint32Array(sought.length + 1);
  for (let at = 1; at < sought.length; at += 1)
    back[at + 1] = grown(sought, back, back[at] ?? 0, sought.charCodeAt(at));
  return back;
}

/** How much of the sought text has matched after one more character. */
function grown(sought: string, back: Uint32Array, matched: number, code: number): number {
  let length = matched;
  while (length > 0 && sought.charCodeAt(length) !== code) length = back[length] ?? 0;
  return sought.charCodeAt(length) === code ? length + 1 : 0;
}
