// Remembered
// Keeps the results of reading the last texts, because every call is compared with the same rules and the same folders.
//
//   Owns:          keeping results, and how many.
//   Does not own:  reading.
//
// REMEMBERED-1. A result is the same as if nothing were kept. At most a thousand short texts are kept.

const KEPT_MAX = 1_000;
const LENGTH_MAX = 1_024;

/** @param read depends only on its text, and nobody changes what it returns. */
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
