// Remembered
// What was read of a text is read once: patterns are few, and each call is compared with all of them.
//
//   Owns:          how much is remembered.
//   Does not own:  what is read.
//
// REMEMBERED-1. The function must come to the same for the same text, always: then nobody can tell that it is remembered.

const TEXTS_MAX = 2_048;
const LENGTH_MAX = 4_096;

/** @param read without side effects; what it returns is never changed. */
export function remembered<T>(read: (text: string) => T): (text: string) => T {
  const known = new Map<string, { readonly value: T }>();
  return (text) => {
    const found = known.get(text);
    if (found) return found.value;
    const value = read(text);
    if (text.length > LENGTH_MAX) return value;
    if (known.size >= TEXTS_MAX) known.clear();
    known.set(text, { value });
    return value;
  };
}
