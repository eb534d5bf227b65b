// Remembered
// What the last texts were read as: every call asks the same rules, and many calls name the same folders.
//
//   Owns:          keeping it, and how much of it.
//   Does not own:  reading.
//
// REMEMBERED-1. A reading is what it would be if nothing were kept. A thousand short texts are kept at most.

const KEPT_MAX = 1_000;
/** A longer text is read anew. */
const LENGTH_MAX = 1_024;

/** @param read depends on its text alone; what it returns is never changed. */
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
