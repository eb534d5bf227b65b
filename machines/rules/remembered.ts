// Remembered
// Caches what a function returned for a text (for example, the names in a path), because every call is compared with the same
// rules and the same folders.
//
//   Owns:          storing the results of the function, and how many results are stored.
//   Does not own:  the computation for a text (the caller's function).
//
// REMEMBERED-1. A cached result is the same as a newly computed one. At most a thousand results are stored, of short texts only.

const KEPT_MAX = 1_000;
const LENGTH_MAX = 1_024;

/**
 * Makes a function that remembers the results of `read`.
 * @param read its result must depend on the text alone, and nobody may change that result.
 */
export function remembered<T>(read: (text: string) => T): (text: string) => T {
  const kept = new Map<string, { readonly reading: T }>();
  return (text) => {
    const known = kept.get(text);
    if (known) return known.reading;
    const reading = read(text);
    if (text.length > LENGTH_MAX) return reading;
    if (kept.size >= KEPT_MAX) kept.clear();
    kept.set(text, { reading });
    return reading;
  };
}
